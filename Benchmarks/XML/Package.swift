// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "xml-benchmarks",
    dependencies: [.package(name: "stepline", path: "../..")],
    targets: [
        .systemLibrary(name: "CLibXML2Peer", pkgConfig: "libxml-2.0"),
        .executableTarget(
            name: "XMLBenchmarks",
            dependencies: [.product(name: "SteplineXML", package: "stepline"), "CLibXML2Peer"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
