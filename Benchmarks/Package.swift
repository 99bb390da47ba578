// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody who uses the library builds its benchmarks.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "SIMDJSONRival", description: "Holds the parsing of JSON against simdjson.")
    ],
    dependencies: [.package(name: "stepline", path: "..")],
    targets: [
        // The rival of the XML benchmarks: libxml2 itself, called from C.
        .systemLibrary(name: "CLibXML2Peer", pkgConfig: "libxml-2.0"),
        // The rival of durable runs: SQLite by hand.
        .systemLibrary(name: "CSQLitePeer", pkgConfig: "sqlite3"),
        .target(
            name: "CSimdJSONPeer",
            cxxSettings: [.define("STEPLINE_SIMDJSON", .when(traits: ["SIMDJSONRival"]))],
            linkerSettings: [.linkedLibrary("simdjson", .when(traits: ["SIMDJSONRival"]))]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CLibXML2Peer",
                "CSQLitePeer",
                "CSimdJSONPeer",
                .product(name: "Stepline", package: "stepline"),
                .product(name: "SteplineRuns", package: "stepline"),
                .product(name: "SteplineTesting", package: "stepline"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // The rival of flows in `Benchmarks/command`.
        .executableTarget(
            name: "LibraryFlow", dependencies: [.product(name: "Stepline", package: "stepline")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // The program whose workers `Benchmarks/workers` starts.
        .executableTarget(
            name: "WorkerSteps",
            dependencies: [
                .product(name: "Stepline", package: "stepline"),
                .product(name: "SteplinePostgreSQL", package: "stepline"),
                .product(name: "SteplineRuns", package: "stepline"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ],
    cxxLanguageStandard: .cxx17
)
