// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody who uses the library builds its benchmarks.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "stepline", path: "..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "Stepline", package: "stepline"),
                .product(name: "SteplineTesting", package: "stepline"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
