// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The house, floor by floor: a target imports only from the floors below it. `HouseTests` reads the imports
// and holds them to this list.

/// `make pam` sets `embedded`, `make pam-static` sets `static`, `make page` sets `page` (its tests `page-test`);
/// unset, everything is ordinary Swift.
/// An environment switch and never a trait: a trait would make SwiftPM link every build as Embedded.
let module = Context.environment["MPIN_MODULE"]
let page = module == "page" || module == "page-test"
let embedded = module == "embedded" || page
let whole = module == nil
/// `make check` sets it: a debug build, which compiles the file that was changed, but for
/// what takes long unless it is optimized: mathematics, and texts by the thousand.
let checking = Context.environment["MPIN_CHECK"] != nil
/// `MPIN_SERVER=0` leaves out mpind and with it Hummingbird, which takes minutes to build.
let server = whole && Context.environment["MPIN_SERVER"] != "0"

let everywhere: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
let optimized: [SwiftSetting] = checking ? [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"])] : []
let embeddable: [SwiftSetting] =
    everywhere + [.treatWarning("EmbeddedRestrictions", as: .error)]
    + (embedded
        ? [
            .enableExperimentalFeature("Embedded"),
            // A section for each function lets the linker leave out what the module never calls.
            .unsafeFlags(["-wmo", "-Osize", "-Xfrontend", "-function-sections"]),
        ] : [])
    + (page
        ? [
            .unsafeFlags([
                "-Xfrontend", "-disable-stack-protector",
                // With it, hashes of the build folder's path stand in the module.
                "-Xfrontend", "-disable-incremental-llvm-codegen",
            ])
        ] : [])

/// The module: nothing exported but `pam_sm_*`, nothing left undefined, never unloaded, no run path.
let moduleLinking: [LinkerSetting] =
    [.linkedLibrary("pam"), .linkedLibrary("crypto"), .linkedLibrary("qrencode")]
    + (embedded
        ? [
            .linkedLibrary("m"), .linkedLibrary("swiftUnicodeDataTables"),
            .unsafeFlags(["-L", Context.environment["SWIFT_EMBEDDED_LIBS"] ?? "."]),
        ] : [])
    + (whole
        ? []
        : [
            .unsafeFlags([
                "-use-ld=lld", "-Xclang-linker",
                "-Wl,--version-script=\(Context.packageDirectory)/Sources/pam_mpin/pam_mpin.map"
                    + ",-z,now,-z,relro,-z,nodelete,-z,defs"
                    // Functions alike are one, and relocations are packed (glibc 2.36 and newer).
                    + ",--gc-sections,--icf=all,-z,pack-relative-relocs,--as-needed,--build-id=none,-s",
            ])
        ])
/// The Swift runtime inside the program, said to the linker only: compiled once, used by programs and tests.
/// No build id: it would hash sections of the compiler's own that differ from build to build.
let runtimeInside: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-lswiftSynchronization",
        "-Xclang-linker", "-Wl,-z,now,-z,relro,--build-id=none",
    ])
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Floors that module and page have in common.
let commonTargets: [Target] = [
    .target(
        name: "Octets", dependencies: ["CPlatform"],
        // In a browser there are no files.
        exclude: page ? ["FileReplacement.swift", "WithCString.swift"] : [], swiftSettings: embeddable),
    .target(
        name: "Pairing", dependencies: ["Secrets", "CPlatform"], swiftSettings: embeddable + optimized),
    .target(
        name: "MPin", dependencies: ["Octets", "Pairing", "Secrets"], swiftSettings: embeddable + optimized),
    .target(name: "MPinWire", dependencies: ["Octets"], swiftSettings: embeddable),
    .target(
        name: "MPinProof", dependencies: ["Octets", "MPinWire", "MPin", "Secrets"], swiftSettings: embeddable),
]

/// What the page in a browser is made of: WebAssembly without a C library, whose place CPage takes.
let pageLinking = [
    "--no-entry", "--gc-sections", "--strip-all", "-z", "stack-size=262144", "--stack-first",
    "--max-memory=268435456",
]
let pageTargets: [Target] = [
    .target(
        name: "CPlatform", path: "Sources/C/CPage",
        cSettings: [
            .unsafeFlags(["-O2", "-mbulk-memory", "-ffreestanding", "-ffunction-sections", "-g0"])
        ]),
    .target(
        name: "Secrets", dependencies: ["CPlatform"], exclude: ["AESGCM.swift", "ProcessMemory.swift"],
        // scrypt takes most of the time of a login.
        swiftSettings: embeddable + [.unsafeFlags(["-O"])]),
    .executableTarget(
        name: "MPinPage", dependencies: ["Octets", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        exclude: ["page"],
        swiftSettings: embeddable + (module == "page-test" ? [.define("MPIN_PAGE_TEST")] : []),
        linkerSettings: [
            .unsafeFlags(["-Xclang-linker", "-nostdlib"] + pageLinking.flatMap { ["-Xlinker", $0] })
        ]),
]

/// Floors 0 to 5 and the module itself, which is built three ways.
let embeddableTargets: [Target] = [
    .target(name: "CPlatform", path: "Sources/C/CPlatform"),
    .target(name: "PAMShim", path: "Sources/C/PAMShim"), .target(name: "CPAM", path: "Sources/C/CPAM"),
    .systemLibrary(
        name: "CCrypto", path: "Sources/C/CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CQRencode", path: "Sources/C/CQRencode", providers: [.apt(["libqrencode-dev"])]),
    .target(
        name: "Secrets", dependencies: ["CPlatform", "CCrypto"], swiftSettings: embeddable + optimized),
    .target(
        name: "MPinStore", dependencies: ["Octets", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        swiftSettings: embeddable),
    .target(
        name: "MPinLogin",
        dependencies: ["Octets", "MPinStore", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
        swiftSettings: embeddable),
    .target(
        name: "MPinConsole", dependencies: ["Octets", "CQRencode", "CPlatform"], swiftSettings: embeddable),
    .target(
        name: "pam_mpin",
        dependencies: [
            "Octets",
            "MPinLogin", "MPinStore", "MPinProof", "MPinConsole", "MPinWire", "MPin", "Secrets", "CPAM",
            "CPlatform",
            "PAMShim",
        ],
        exclude: ["pam_mpin.map"], swiftSettings: embeddable, linkerSettings: moduleLinking),
]

/// What has a network or a terminal and needs ordinary Swift, and the tests of all but the daemon.
let ordinaryTargets: [Target] = [
    .target(name: "CCurl", path: "Sources/C/CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
        name: "MPinCurl", dependencies: ["Octets", "MPinWire", "Secrets", "CCurl", "CPlatform"],
        swiftSettings: everywhere),
    .target(
        name: "MPinClient",
        dependencies: [
            "Octets", "MPinCurl", "MPinLogin", "MPinStore", "MPinProof", "MPinWire", "MPin", "Secrets",
            "CPlatform",
        ],
        swiftSettings: everywhere),
    .target(name: "MPinStorage", dependencies: ["MPinWire", "MPin"], swiftSettings: everywhere),
    .target(name: "MPinSQL", dependencies: ["MPinStorage", "CSQLite"], swiftSettings: everywhere),
    .target(
        name: "MPinService", dependencies: ["Octets", "MPinStorage", "MPinWire", "MPin", "Secrets"],
        swiftSettings: everywhere),
    .target(
        name: "MPinHost", dependencies: ["Octets", "MPinWire", "Secrets", "CPlatform"],
        swiftSettings: everywhere),
    .executableTarget(
        name: "mpin-relay", dependencies: ["MPinCurl", "MPinWire", "CPlatform"],
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .target(
        name: "MPinAdmin",
        dependencies: [
            "MPinClient", "MPinLogin", "MPinStore", "MPinProof", "MPinConsole", "MPinCurl", "MPinHost",
            "MPinWire",
            "MPin", "Secrets", "Octets", "CPlatform", "CPAM",
        ],
        swiftSettings: everywhere, linkerSettings: [.linkedLibrary("pam")]),
    .executableTarget(
        name: "mpin",
        dependencies: ["MPinAdmin", "MPinCurl", "MPinHost", "CPlatform", argumentParser],
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .executableTarget(
        name: "mpin-bench", dependencies: ["MPin", "Pairing", "Secrets"], path: "Tests/Bench",
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .executableTarget(
        name: "mpin-flows",
        dependencies: ["MPin", "MPinClient", "MPinCurl", "MPinWire", "Secrets", argumentParser],
        path: "Tests/Conformance/Flows", exclude: ["README.md"], swiftSettings: everywhere,
        linkerSettings: runtimeInside),
    .testTarget(
        name: "HouseTests", dependencies: ["TestSupport"], path: "Tests/House",
        exclude: ["closure.txt", "exceptions", "Mutants", "Sentences", "apart"],
        swiftSettings: everywhere + optimized),
    .testTarget(
        name: "HostTests", dependencies: ["MPinHost", "TestSupport"], path: "Tests/Unit/HostTests",
        swiftSettings: everywhere),
    .testTarget(
        name: "ConsoleTests", dependencies: ["Octets", "MPinConsole"], path: "Tests/Unit/ConsoleTests",
        exclude: ["Screens"], swiftSettings: everywhere),
    .testTarget(
        name: "PairingTests", dependencies: ["Octets", "Pairing", "Secrets", "TestSupport"],
        path: "Tests/Unit/PairingTests", swiftSettings: everywhere),
    .testTarget(
        name: "MPinTests", dependencies: ["Octets", "MPin", "Pairing", "Secrets", "TestSupport"],
        path: "Tests/Unit/MPinTests",
        swiftSettings: everywhere),
    .testTarget(
        name: "WireTests", dependencies: ["Octets", "MPinWire", "TestSupport"], path: "Tests/Unit/WireTests",
        swiftSettings: everywhere),
    .testTarget(
        name: "LoginTests",
        dependencies: [
            "Octets", "MPinLogin", "MPinStore", "MPinProof", "MPinConsole", "MPinWire", "MPin", "Secrets",
            "MPinCurl",
            "CPlatform",
            "TestSupport",
        ], path: "Tests/Unit/LoginTests",
        swiftSettings: everywhere),
    .testTarget(
        name: "ClientTests",
        dependencies: ["Octets", "MPinClient", "MPinWire", "MPin", "Secrets", "TestSupport"],
        path: "Tests/Unit/ClientTests",
        swiftSettings: everywhere),
    .target(name: "TestSupport", dependencies: ["Pairing"], path: "Tests/Support", swiftSettings: everywhere),
    .executableTarget(
        name: "mpin-probe", dependencies: ["CPlatform", "MPinWire"], path: "Tests/System/Probe",
        swiftSettings: everywhere, linkerSettings: runtimeInside),
    .testTarget(
        name: "RelayTests",
        dependencies: [
            "Octets", "MPinCurl", "MPinLogin", "MPinStore", "MPinProof", "MPinWire", "CPlatform",
            "TestSupport",
        ],
        path: "Tests/Unit/RelayTests",
        swiftSettings: everywhere),
    .testTarget(
        name: "AdminTests",
        dependencies: ["MPinAdmin", "MPinHost", "MPinLogin", "MPinProof", "MPin", "Secrets", "TestSupport"],
        path: "Tests/Unit/AdminTests", swiftSettings: everywhere),
    .testTarget(
        name: "CommandTests", dependencies: ["TestSupport"], path: "Tests/Unit/CommandTests",
        swiftSettings: everywhere),
    .testTarget(
        name: "StorageTests", dependencies: ["MPinSQL", "MPinStorage", "MPin", "TestSupport"],
        path: "Tests/Unit/StorageTests", swiftSettings: everywhere),
    .testTarget(
        name: "ServiceTests",
        dependencies: [
            "Octets", "MPinClient", "MPinService", "MPinSQL", "MPinStorage", "MPinWire", "MPin", "Secrets",
            "TestSupport",
        ], path: "Tests/Unit/ServiceTests",
        swiftSettings: everywhere),
]

let serverTargets: [Target] = [
    .systemLibrary(
        name: "CX509", path: "Sources/C/CX509", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .executableTarget(
        name: "mpind",
        dependencies: [
            "Octets",
            "MPinService", "MPinSQL", "MPinConsole", "MPinCurl", "MPinHost", "MPinWire", "MPin", "Secrets",
            "CX509",
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOTLS", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
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
        + (whole ? [.library(name: "MPinClient", targets: ["MPinClient"])] : []),
    dependencies: (whole
        ? [.package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")] : [])
        + (server
            ? [
                .package(
                    url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
                .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
                .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
                .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
                .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
                .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
                .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
            ] : []),
    targets: commonTargets + (page ? pageTargets : embeddableTargets) + (whole ? ordinaryTargets : [])
        + (server ? serverTargets : []),
    swiftLanguageModes: [.v6]
)
