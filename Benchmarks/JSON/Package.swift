// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "json-benchmark",
    dependencies: [.package(name: "stepline", path: "../..")],
    targets: [
        .executableTarget(
            name: "JSONBenchmark",
            dependencies: [.product(name: "SteplineJSON", package: "stepline")],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")])
    ]
)
