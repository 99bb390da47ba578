// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "stepline",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Stepline", targets: ["Stepline"]),
        .library(name: "SteplinePipeline", targets: ["SteplinePipeline"]),
        .library(name: "SteplineWorkflow", targets: ["SteplineWorkflow"]),
        .library(name: "SteplineTesting", targets: ["SteplineTesting"]),
    ],
    targets: [
        // MARK: Level 0: shared by all
        .target(name: "SteplineSupport"),

        // MARK: Level 1: the engines
        .target(name: "SteplinePipeline", dependencies: ["SteplineSupport"]),
        .target(name: "SteplineWorkflow", dependencies: ["SteplineSupport"]),

        // MARK: Level 3: ready-made steps
        .target(name: "SteplineSteps", dependencies: ["SteplinePipeline", "SteplineSupport"]),

        // MARK: Level 4: what users import
        .target(
            name: "Stepline",
            dependencies: ["SteplinePipeline", "SteplineSteps", "SteplineSupport", "SteplineWorkflow"]
        ),
        .target(name: "SteplineTesting", dependencies: ["SteplineSupport"]),

        // MARK: Examples
        .executableTarget(
            name: "Temperatures",
            dependencies: ["Stepline"],
            path: "Sources/Examples/Temperatures"
        ),

        // MARK: Tests
        .testTarget(name: "SteplineSupportTests", dependencies: ["SteplineSupport", "SteplineTesting"]),
        .testTarget(
            name: "SteplinePipelineTests",
            dependencies: ["SteplinePipeline", "SteplineSupport", "SteplineTesting"]
        ),
        .testTarget(
            name: "SteplineWorkflowTests",
            dependencies: ["SteplineSupport", "SteplineTesting", "SteplineWorkflow"]
        ),
        .testTarget(name: "SteplineStepsTests", dependencies: ["Stepline", "SteplineTesting"]),
        .testTarget(name: "SteplineBridgeTests", dependencies: ["Stepline", "SteplineTesting"]),
        .testTarget(name: "SteplineTestingTests", dependencies: ["Stepline", "SteplineTesting"]),
        .testTarget(name: "StressTests", dependencies: ["Stepline", "SteplineSupport", "SteplineTesting"]),
        .testTarget(name: "PublicAPITests", dependencies: ["Stepline", "SteplineTesting"]),
        .testTarget(name: "ExampleTests", dependencies: ["Temperatures"]),
    ]
)

for target in package.targets where ![.system, .binary, .plugin, .macro].contains(target.type) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
