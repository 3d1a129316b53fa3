// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The targets and their dependencies. A target imports only from targets on layers below it; `HouseTests`
// checks the imports of all sources.

/// What is built: `embedded` (`make pam`), `page` (`make page`), or ordinary Swift if it is not set. With a
/// trait instead, SwiftPM would link every build as Embedded.
let module = Context.environment["MPIN_MODULE"]
let page = module == "page"
let embedded = module == "embedded" || page
/// `make check` sets it. It makes a debug build, which compiles only the changed files, but still optimizes
/// the targets that would otherwise be slow: the mathematics, and the tests that read thousands of texts.
let checking = Context.environment["MPIN_CHECK"] != nil

let everywhere: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// Tests call what no other target may call, also in a release build.
let testable: SwiftSetting = .unsafeFlags(["-enable-testing"])
/// The tests' own code is not optimized, which halves the time of compiling it. Then the compiler would make
/// a target's module in a process of its own, which reads and checks the whole target once more, although
/// SwiftPM waits for both.
let testing: [SwiftSetting] =
    everywhere + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]
let optimized: [SwiftSetting] = checking ? [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"])] : []
let embeddable: [SwiftSetting] =
    everywhere + [.treatWarning("EmbeddedRestrictions", as: .error)]
    + (embedded
        ? [
            .enableExperimentalFeature("Embedded"),
            // With a section for each function, the linker can omit functions that the module never calls.
            .unsafeFlags(["-wmo", "-Osize", "-Xfrontend", "-function-sections"]),
            // Otherwise the module would contain hashes of the build folder's path.
            .unsafeFlags(["-Xfrontend", "-disable-incremental-llvm-codegen"]),
        ] : [])
    + (page ? [.unsafeFlags(["-Xfrontend", "-disable-stack-protector"])] : [])

/// The module exports only `pam_sm_*`, has no undefined symbols and no run path, and is never unloaded.
let moduleLinking: [LinkerSetting] =
    [.linkedLibrary("pam"), .linkedLibrary("crypto"), .linkedLibrary("qrencode")]
    + (embedded
        ? [
            .linkedLibrary("m"), .linkedLibrary("swiftUnicodeDataTables"),
            .unsafeFlags([
                "-L", Context.environment["SWIFT_EMBEDDED_LIBS"] ?? ".", "-use-ld=lld", "-Xclang-linker",
                "-Wl,--version-script=\(Context.packageDirectory)/Sources/Host/pam_mpin/pam_mpin.map"
                    + ",-z,now,-z,relro,-z,nodelete,-z,defs"
                    // Merges identical functions and packs relocations (glibc 2.36 and newer).
                    + ",--gc-sections,--icf=all,-z,pack-relative-relocs,--as-needed,--build-id=none,-s",
            ]),
        ] : [])
/// Links the Swift runtime into a program. Only the linker gets this option, so programs and tests share the
/// compiled targets. There is no build id, because it would cover sections that differ from build to build.
let runtimeInside: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-lswiftSynchronization",
        "-Xclang-linker", "-Wl,-z,now,-z,relro,--build-id=none",
    ])
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// The targets that module and page have in common.
let commonTargets: [Target] = [
    .target(
        name: "Octets", dependencies: ["CPlatform"],
        // A browser has no files.
        exclude: page
            ? ["FileReplacement.swift", "PasswdEntry.swift", "TrustedFile.swift", "WithCString.swift"] : [],
        swiftSettings: embeddable),
    .target(
        name: "Pairing", dependencies: ["Secrets", "CPlatform"], swiftSettings: embeddable + optimized),
    .target(
        name: "MPin", dependencies: ["Octets", "Pairing", "Secrets"], swiftSettings: embeddable + optimized),
    .target(name: "MPinWire", dependencies: ["Octets"], swiftSettings: embeddable),
    .target(
        name: "MPinProof", dependencies: ["Octets", "MPinWire", "MPin", "Secrets"], swiftSettings: embeddable),
]

/// The targets of the phone page: WebAssembly without a C library, which CPage replaces.
let pageLinking: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xclang-linker", "-nostdlib"]
            + [
                "--no-entry", "--gc-sections", "--strip-all", "-z", "stack-size=262144", "--stack-first",
                "--max-memory=268435456",
            ].flatMap { ["-Xlinker", $0] })
]
let pageTargets: [Target] = [
    .target(
        name: "CPlatform", path: "Sources/C/CPage",
        cSettings: [
            .unsafeFlags(["-O2", "-mbulk-memory", "-ffreestanding", "-ffunction-sections", "-g0"])
        ]),
    .target(
        name: "Secrets", dependencies: ["CPlatform"], exclude: ["AESGCM.swift", "ProcessMemory.swift"],
        // Most of the time of a login is spent in scrypt.
        swiftSettings: embeddable + [.unsafeFlags(["-O"])]),
    .target(
        name: "PageMessages", dependencies: ["Octets", "MPinProof", "Secrets", "CPlatform"],
        swiftSettings: embeddable),
    .executableTarget(
        name: "MPinPage",
        dependencies: ["Octets", "PageMessages", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        exclude: ["page"], swiftSettings: embeddable, linkerSettings: pageLinking),
    // Only tests have this module.
    .executableTarget(
        name: "MPinPageVectors",
        dependencies: ["Octets", "PageMessages", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        path: "Tests/Conformance/PageVectors", swiftSettings: embeddable, linkerSettings: pageLinking),
]

/// The module and the other targets below it.
let embeddableTargets: [Target] = [
    .target(
        name: "CPlatform", path: "Sources/C/CPlatform",
        cSettings: embedded ? [.unsafeFlags(["-Oz", "-ffunction-sections"])] : []),
    .target(name: "PAMShim", path: "Sources/C/PAMShim"), .target(name: "CPAM", path: "Sources/C/CPAM"),
    .systemLibrary(
        name: "CCrypto", path: "Sources/C/CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CQRencode", path: "Sources/C/CQRencode", providers: [.apt(["libqrencode-dev"])]),
    .target(
        name: "Secrets", dependencies: ["CPlatform", "CCrypto"], swiftSettings: embeddable + optimized),
    .target(
        name: "MPinHostStore",
        dependencies: ["Octets", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        swiftSettings: embeddable),
    .target(
        name: "MPinLogin",
        dependencies: ["Octets", "MPinHostStore", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        swiftSettings: embeddable),
    .target(
        name: "MPinConsole", dependencies: ["Octets", "CQRencode", "CPlatform"], swiftSettings: embeddable),
    .target(
        name: "pam_mpin",
        dependencies: [
            "Octets",
            "MPinLogin", "MPinHostStore", "MPinProof", "MPinConsole", "MPinWire", "MPin", "Secrets", "CPAM",
            "CPlatform",
            "PAMShim",
        ],
        exclude: ["pam_mpin.map"], swiftSettings: embeddable, linkerSettings: moduleLinking),
]

/// The tests of one target.
func unitTests(_ name: String, of dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/Unit/\(name)",
        exclude: exclude,
        swiftSettings: testing)
}

/// The targets that need ordinary Swift, because they use a network or a terminal, and the tests of
/// everything except the daemon.
let ordinaryTargets: [Target] = [
    .target(
        name: "CCurl", path: "Sources/C/CCurl",
        linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
        name: "CPostgres", path: "Sources/C/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
        name: "MPinCurl", dependencies: ["Octets", "MPinWire", "Secrets", "CCurl", "CPlatform"],
        swiftSettings: everywhere),
    .target(
        name: "MPinClient",
        dependencies: [
            "Octets", "MPinCurl", "MPinLogin", "MPinHostStore", "MPinProof", "MPinWire", "MPin", "Secrets",
            "CPlatform",
        ],
        swiftSettings: everywhere),
    .target(
        name: "MPinDatabase", dependencies: ["Octets", "Secrets", "CSQLite", "CPostgres"],
        swiftSettings: everywhere + [testable]),
    .target(
        name: "MPinServer", dependencies: ["Octets", "MPinDatabase", "MPinWire", "MPin", "Secrets"],
        swiftSettings: everywhere + [testable]),
    .target(
        name: "MPinSystem", dependencies: ["Octets", "MPinWire", "Secrets", "CPlatform"],
        swiftSettings: everywhere),
    .executableTarget(
        name: "mpin-relay", dependencies: ["MPinCurl", "MPinWire", "CPlatform"],
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .target(
        name: "MPinAdmin",
        dependencies: [
            "MPinClient", "MPinLogin", "MPinHostStore", "MPinProof", "MPinConsole", "MPinCurl",
            "MPinSystem", "MPinWire", "MPin", "Secrets", "Octets", "CPlatform", "CPAM",
        ],
        swiftSettings: everywhere + [testable], linkerSettings: [.linkedLibrary("pam")]),
    .executableTarget(
        name: "mpin",
        dependencies: [
            "MPinAdmin", "MPinConsole", "MPinCurl", "CPlatform", argumentParser,
        ],
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .executableTarget(
        name: "mpin-bench",
        dependencies: ["Octets", "MPin", "MPinDatabase", "MPinServer", "MPinWire", "Pairing", "Secrets"],
        path: "Tests/Bench", swiftSettings: everywhere, linkerSettings: runtimeInside),
    .executableTarget(
        name: "mpin-flows",
        dependencies: ["Octets", "MPin", "MPinClient", "MPinCurl", "MPinWire", "Secrets", argumentParser],
        path: "Tests/Conformance/Flows", exclude: ["README.md"], swiftSettings: everywhere,
        linkerSettings: runtimeInside),
    .target(
        name: "TestSupport", dependencies: ["Octets", "Pairing"], path: "Tests/Support",
        swiftSettings: testing),
    .executableTarget(
        name: "mpin-probe", dependencies: ["CPlatform", "MPinWire"], path: "Tests/System/Probe",
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .testTarget(
        name: "HouseTests", dependencies: ["TestSupport"], path: "Tests/House",
        exclude: ["closure.txt", "Mutants", "apart"],
        swiftSettings: everywhere + optimized),
    unitTests("ConsoleTests", of: ["Octets", "MPinConsole"], exclude: ["Screens"]),
    unitTests("PairingTests", of: ["Octets", "Pairing", "Secrets"]),
    unitTests("MPinTests", of: ["Octets", "MPin", "Pairing", "Secrets"]),
    unitTests("WireTests", of: ["Octets", "MPinWire"]),
    unitTests(
        "LoginTests",
        of: [
            "Octets", "MPinLogin", "MPinHostStore", "MPinProof", "MPinConsole", "MPinWire", "MPin", "Secrets",
            "MPinCurl", "CPlatform",
        ]),
    unitTests("ClientTests", of: ["Octets", "MPinClient", "MPinWire", "MPin", "Secrets"]),
    unitTests(
        "RelayTests",
        of: ["Octets", "MPinCurl", "MPinLogin", "MPinHostStore", "MPinProof", "MPinWire", "CPlatform"]),
    unitTests(
        "AdminTests",
        of: [
            "Octets", "MPinAdmin", "MPinSystem", "MPinLogin", "MPinProof", "MPinWire", "MPin", "Secrets",
            "CPAM",
        ]),
    unitTests("CommandTests", of: []),
    unitTests("DatabaseTests", of: ["Octets", "MPinServer", "MPinDatabase", "MPin"]),
    unitTests(
        "ServerTests",
        of: ["Octets", "MPinClient", "MPinServer", "MPinDatabase", "MPinWire", "MPin", "Secrets"]),
]

let serverTargets: [Target] = [
    .systemLibrary(
        name: "CSSL", path: "Sources/C/CSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    .executableTarget(
        name: "mpind",
        dependencies: [
            "Octets", "CSSL",
            "MPinServer", "MPinDatabase", "MPinConsole", "MPinCurl", "MPinSystem", "MPinWire", "MPin",
            "Secrets",
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOExtras", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            .product(name: "Logging", package: "swift-log"), argumentParser,
        ],
        swiftSettings: everywhere, linkerSettings: runtimeInside),
]

let package = Package(
    name: "pam_mpin",
    products: (page ? [] : [.library(name: "pam_mpin", type: .dynamic, targets: ["pam_mpin"])])
        + (embedded ? [] : [.library(name: "MPinClient", targets: ["MPinClient"])]),
    dependencies: embedded
        ? []
        : [
            .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
            .package(
                url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
            .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
            .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
            .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
            .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
            .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
        ],
    targets: commonTargets + (page ? pageTargets : embeddableTargets)
        + (embedded ? [] : ordinaryTargets + serverTargets),
    swiftLanguageModes: [.v6]
)

/// The folders of Sources, and the targets in each.
let folders = [
    "Core": ["Octets", "Secrets", "Pairing", "MPin", "MPinWire", "MPinProof"],
    "Host": ["MPinHostStore", "MPinLogin", "MPinConsole", "MPinCurl", "pam_mpin", "mpin-relay"],
    "Admin": ["MPinSystem", "MPinAdmin", "mpin"],
    "Server": ["MPinDatabase", "MPinServer", "mpind"],
    "Phone": ["PageMessages", "MPinPage"],
    "Client": ["MPinClient"],
]
for (folder, names) in folders {
    for target in package.targets where names.contains(target.name) {
        target.path = "Sources/\(folder)/\(target.name)"
    }
}
