# SPDX-License-Identifier: Apache-2.0
# Mutants of what setup may open on a login host.
from mutants import Mutant

PLANNED = "Admin/MPinAdmin/Setup/SetupPlanStack.swift"
RESULT = "Admin/MPinAdmin/PAM/StackResult.swift"

MUTANTS = [
    Mutant(
        "opens-closed", "setup refuses a stack by which nobody can log in",
        PLANNED,
        "if isClosed {",
        'if isClosed && !mutant("opens-closed") {',
        "AdminTests/ClosedStackTests", needs_root=True),
    Mutant(
        "opens-sibling", "setup adds no sibling by which nobody can log in",
        PLANNED,
        "places().contains(where: \\.isClosed)",
        'places().contains { $0.isClosed && !mutant("opens-sibling") }',
        "AdminTests/ClosedStackTests", needs_root=True),
    Mutant(
        "opens-includers", "setup refuses a stack whose includers' rules a PIN would get round",
        PLANNED,
        "guard rule != nil ||",
        'guard rule != nil && !mutant("opens-includers") ||',
        "AdminTests/ClosedStackTests", needs_root=True),
    Mutant(
        "deny-may-permit", "pam_deny.so never lets a user in",
        RESULT,
        'case "pam_deny.so": ["auth_err"]',
        'case "pam_deny.so": mutant("deny-may-permit") ? ["success"] : ["auth_err"]',
        "AdminTests/StackResultTests"),
    Mutant(
        "refusal-forgotten", "a success after a refusal lets nobody in",
        RESULT,
        "if result == .none || result == .success {",
        'if result == .none || result == .success || mutant("refusal-forgotten") {',
        "AdminTests/StackResultTests"),
]
