// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody who uses the library builds its benchmarks.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "stepline", path: "..")],
    targets: [
        // What the XML benchmarks are held against: libxml2 itself, called from C.
        .systemLibrary(name: "CLibXML2Peer", pkgConfig: "libxml-2.0"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CLibXML2Peer",
                .product(name: "Stepline", package: "stepline"),
                .product(name: "SteplineTesting", package: "stepline"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
