// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "stepline",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Stepline", targets: ["Stepline"]),
        .library(name: "SteplinePipeline", targets: ["SteplinePipeline"]),
        .library(name: "SteplineWorkflow", targets: ["SteplineWorkflow"]),
        .library(name: "SteplineManager", targets: ["SteplineManager"]),
        .library(name: "SteplineRequests", targets: ["SteplineRequests"]),
        .library(name: "SteplineSteps", targets: ["SteplineSteps"]),
        .library(name: "SteplineReports", targets: ["SteplineReports"]),
        .library(name: "SteplineJSON", targets: ["SteplineJSON"]),
        .library(name: "SteplineXML", targets: ["SteplineXML"]),
        .library(name: "SteplineRuns", targets: ["SteplineRuns"]),
        .library(name: "SteplinePostgreSQL", targets: ["SteplinePostgreSQL"]),
        .library(name: "SteplineRunsTesting", targets: ["SteplineRunsTesting"]),
        .library(name: "SteplineTesting", targets: ["SteplineTesting"]),
        .executable(name: "stepline", targets: ["SteplineTool"]),
    ],
    targets: [
        // MARK: Level 0: shared by all
        .target(name: "SteplineSupport"),
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),

        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),

        // Finds libcurl, which Foundation brings along on Linux, at run time: nothing is linked.
        .target(name: "CCurl"),

        // Finds libpq at run time: nothing is linked, and everything builds where it isn't installed.
        .target(name: "CPostgreSQL"),

        // Finds libyaml at run time, for workflow files in YAML: nothing is linked.
        .target(name: "CYAML"),

        // Starts programs of others: what Swift can't see of the system's own function.
        .target(name: "CSpawn"),
        // An instruction of the processor that Swift has no function for.
        .target(name: "CProcessor"),
        // Where simulations take Swift's jobs: a variable of its runtime that only C can name.
        .target(name: "CTaskHook"),

        // MARK: Level 1: what every engine does alike
        .target(name: "SteplineEngine", dependencies: ["SteplineSupport"]),
        // Runs programs of others: for the command, and for who starts workers.
        .target(name: "SteplinePrograms", dependencies: ["CSpawn", "SteplineSupport"]),

        // MARK: Level 2: the layers
        .target(name: "SteplinePipeline", dependencies: ["SteplineEngine", "SteplineSupport"]),
        .target(name: "SteplineWorkflow", dependencies: ["CProcessor", "SteplineEngine", "SteplineSupport"]),
        .target(name: "SteplineManager", dependencies: ["SteplineEngine", "SteplineSupport"]),
        .target(name: "SteplineJSON", dependencies: ["SteplineSupport"]),
        .target(name: "SteplineXML", dependencies: ["CLibXML2", "SteplineSupport"]),

        // MARK: Level 3: the network
        .target(
            name: "SteplineRequests",
            dependencies: [
                "SteplineEngine", "SteplineManager", "SteplineSupport",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ]
        ),

        // MARK: Level 4: ready-made steps
        .target(
            name: "SteplineSteps",
            dependencies: [
                "SteplineJSON", "SteplinePipeline", "SteplineRequests", "SteplineSupport", "SteplineXML",
            ]
        ),

        .target(
            name: "SteplineReports",
            dependencies: ["SteplineSupport", "SteplineWorkflow"],
            resources: [
                .embedInCode("HTML/Page/report.css"), .embedInCode("HTML/Page/data.js"),
                .embedInCode("HTML/Page/list.js"), .embedInCode("HTML/Page/timeline.js"),
                .embedInCode("HTML/Page/details.js"), .embedInCode("HTML/Page/page.js"),
            ]
        ),

        // A product of its own: who doesn't import it links no SQLite.
        .target(
            name: "SteplineRuns",
            dependencies: [
                "CSQLite", "SteplineEngine", "SteplineJSON", "SteplinePipeline", "SteplinePrograms",
                "SteplineSupport", "SteplineWorkflow",
            ]
        ),

        // MARK: Level 5: what users import
        // A product of its own: runs on a server, for several machines.
        .target(
            name: "SteplinePostgreSQL", dependencies: ["CPostgreSQL", "SteplineRuns", "SteplineSupport"]
        ),
        .target(
            name: "Stepline",
            dependencies: [
                "SteplineEngine", "SteplineJSON", "SteplineManager", "SteplinePipeline", "SteplineReports",
                "SteplineRequests", "SteplineSteps", "SteplineSupport", "SteplineWorkflow", "SteplineXML",
            ]
        ),
        .target(
            name: "SteplineTesting",
            dependencies: ["CTaskHook", "SteplineEngine", "SteplineRequests", "SteplineSupport"]
        ),
        // For who writes a store of runs. Beside SteplineTesting, whose users are to link no SQLite.
        .target(
            name: "SteplineRunsTesting",
            dependencies: ["SteplineRuns", "SteplineSupport", "SteplineTesting", "SteplineWorkflow"]
        ),

        // MARK: Level 6: the command
        .target(
            name: "SteplineCommand",
            dependencies: [
                "CYAML", "Stepline", "SteplineJSON", "SteplinePipeline", "SteplinePostgreSQL",
                "SteplinePrograms", "SteplineReports", "SteplineRequests", "SteplineRuns",
                "SteplineSteps", "SteplineSupport", "SteplineWorkflow", "SteplineXML",
            ]
        ),
        .executableTarget(name: "SteplineTool", dependencies: ["SteplineCommand"]),

        // MARK: Examples
        .executableTarget(
            name: "Temperatures",
            dependencies: ["Stepline"],
            path: "Sources/Examples/Temperatures"
        ),
        .executableTarget(
            name: "Weather",
            dependencies: ["Stepline", "SteplineTesting"],
            path: "Sources/Examples/Weather"
        ),

        .executableTarget(
            name: "Mirror",
            dependencies: ["Stepline", "SteplinePostgreSQL", "SteplineRuns"],
            path: "Sources/Examples/Mirror"
        ),

        .executableTarget(
            name: "Cookbook",
            dependencies: ["Stepline", "SteplineRuns", "SteplineTesting"],
            path: "Sources/Examples/Cookbook"
        ),

        .executableTarget(
            name: "Comparison",
            dependencies: ["Stepline", "SteplineRuns"],
            path: "Sources/Examples/Comparison"
        ),

        // MARK: Tests
        // Bounds how many tests run at once, by being linked into them; counts the bytes in use.
        .target(name: "CTestWidth", path: "Tests/CTestWidth"),
        // Seeds, amounts, waits and folders of tests.
        .target(
            name: "TestSupport", dependencies: ["CTestWidth", "SteplineSupport"], path: "Tests/TestSupport"),
        // Answers that no honest HTTP server sends.
        .target(
            name: "HostileAnswers", dependencies: ["SteplineSupport", "SteplineTesting"],
            path: "Tests/HostileAnswers"
        ),
        // Random workflows, recorded runs and a shared store in memory, for tests of durable runs.
        .target(
            name: "RunsTestSupport",
            dependencies: [
                "SteplineRuns", "SteplineRunsTesting", "SteplineSupport", "SteplineWorkflow",
            ],
            path: "Tests/RunsTestSupport"
        ),
        // Starts the processes of all tests.
        .target(name: "TestProcesses", dependencies: ["SteplineSupport"], path: "Tests/TestProcesses"),
        // A PostgreSQL and a Slurm of the tests' own.
        .target(
            name: "TestServers", dependencies: ["SteplinePostgreSQL", "SteplineSupport", "TestProcesses"],
            path: "Tests/TestServers"
        ),
        // Simulates fleets too large for a machine. Part of this package, since only its modules see the
        // rules of the store.
        .target(
            name: "FleetSimulation",
            dependencies: ["RunsTestSupport", "SteplineRuns", "SteplineRunsTesting"],
            path: "Benchmarks/FleetProgram/Simulation"
        ),
        .executableTarget(
            name: "Fleet",
            dependencies: [
                "FleetSimulation", "SteplinePostgreSQL", "SteplineRuns", "SteplineSupport", "TestServers",
            ],
            path: "Benchmarks/FleetProgram/Main"
        ),
        .testTarget(
            name: "SteplineSupportTests", dependencies: ["TestSupport", "SteplineSupport", "SteplineTesting"]
        ),
        .testTarget(
            name: "SteplineEngineTests",
            dependencies: ["TestSupport", "SteplineEngine", "SteplineSupport", "SteplineTesting"]
        ),
        .testTarget(
            name: "SteplinePipelineTests",
            dependencies: [
                "TestSupport", "Stepline", "SteplineEngine", "SteplinePipeline", "SteplineSupport",
                "SteplineTesting",
            ]
        ),
        .testTarget(
            name: "SteplineManagerTests",
            dependencies: [
                "TestSupport", "Stepline", "SteplineEngine", "SteplineManager", "SteplineSupport",
                "SteplineTesting",
            ]
        ),
        .testTarget(
            name: "SteplineJSONTests", dependencies: ["TestSupport", "SteplineJSON", "SteplineSupport"]),
        .testTarget(
            name: "SteplineXMLTests",
            dependencies: ["TestSupport", "CLibXML2", "SteplineSupport", "SteplineXML"]),
        .testTarget(
            name: "SteplineRequestsTests",
            dependencies: [
                "TestSupport", "SteplineEngine", "SteplineManager", "SteplineRequests", "SteplineSupport",
                "SteplineTesting",
            ]
        ),
        .testTarget(
            name: "SteplineStepsTests",
            dependencies: [
                "HostileAnswers", "TestSupport", "Stepline", "SteplineRequests", "SteplineSupport",
                "SteplineTesting",
                "TestProcesses",
            ]
        ),
        .testTarget(
            name: "SteplineWorkflowTests",
            dependencies: [
                "TestSupport", "SteplineEngine", "SteplineSupport", "SteplineTesting", "SteplineWorkflow",
            ]
        ),
        .testTarget(
            name: "SteplineReportsTests",
            dependencies: [
                "TestSupport", "SteplineJSON", "SteplineReports", "SteplineSupport", "SteplineTesting",
                "SteplineWorkflow", "SteplineXML", "TestProcesses",
            ]
        ),
        .executableTarget(
            name: "KilledRun",
            dependencies: [
                "RunsTestSupport", "SteplinePipeline", "SteplinePostgreSQL", "SteplineRuns",
                "SteplineRunsTesting",
                "SteplineSteps", "SteplineSupport", "SteplineWorkflow", "SteplineXML",
            ],
            path: "Tests/KilledRun"
        ),
        .testTarget(
            name: "SteplineRunsTests",
            dependencies: [
                "TestSupport", "FleetSimulation", "KilledRun", "RunsTestSupport", "SteplineJSON",
                "SteplinePostgreSQL",
                "SteplineReports", "SteplineRuns", "SteplineRunsTesting", "SteplineSupport",
                "SteplineTesting",
                "SteplineWorkflow", "TestProcesses", "TestServers",
            ]
        ),
        .testTarget(
            name: "SteplineBridgeTests",
            dependencies: ["TestSupport", "Stepline", "SteplineRuns", "SteplineTesting"]),
        .testTarget(
            name: "SteplineTestingTests", dependencies: ["TestSupport", "Stepline", "SteplineTesting"]),
        .testTarget(
            name: "SteplineCommandTests",
            dependencies: [
                "HostileAnswers", "TestSupport", "Stepline", "SteplineCommand", "SteplineJSON",
                "SteplinePipeline",
                "SteplinePostgreSQL", "SteplinePrograms", "SteplineRuns", "SteplineRunsTesting",
                "SteplineSupport", "SteplineTesting", "SteplineTool", "SteplineWorkflow", "SteplineXML",
                "TestProcesses", "TestServers",
            ]
        ),
        .testTarget(
            name: "StressTests",
            dependencies: [
                "CTestWidth", "TestSupport", "Stepline", "SteplineRequests", "SteplineRuns",
                "SteplineRunsTesting", "SteplineSupport", "SteplineTesting",
            ]
        ),
        .testTarget(
            name: "PublicAPITests",
            dependencies: [
                "TestSupport", "Stepline", "SteplinePostgreSQL", "SteplineRuns", "SteplineRunsTesting",
                "SteplineTesting",
                "TestProcesses",
            ]
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "TestSupport", "Comparison", "Cookbook", "Mirror", "Stepline", "SteplineJSON",
                "SteplinePostgreSQL",
                "SteplineRuns", "SteplineRunsTesting", "SteplineSupport", "SteplineTesting", "SteplineXML",
                "Temperatures", "TestProcesses", "TestServers", "Weather",
            ]
        ),
    ]
)

for target in package.targets
where ![.system, .binary, .plugin, .macro].contains(target.type)
    && !["CCurl", "CPostgreSQL", "CProcessor", "CSpawn", "CTaskHook", "CTestWidth", "CYAML"]
        .contains(target.name)
{
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

// STEPLINE_PART leaves only some test targets in the package, and what they depend on: `make test` builds no examples, and
// CI builds no more under a sanitizer than it runs there. It names a part below, or targets separated by commas.
let parts: [String: Set<String>] = [
    // All modules, for `make test`: no stress, no examples, no snippets of guides.
    "modules": Set(package.targets.filter { $0.type == .test }.map(\.name))
        .subtracting(["StressTests", "ExampleTests", "PublicAPITests"]),
    // Concurrent modules, for ThreadSanitizer.
    "threads": [
        "SteplineEngineTests", "SteplinePipelineTests", "SteplineWorkflowTests", "SteplineManagerTests",
        "SteplineRequestsTests", "SteplineRunsTests", "SteplineBridgeTests", "SteplineTestingTests",
        "StressTests",
    ],
    // Modules with unsafe memory or C libraries, for AddressSanitizer.
    "memory": [
        "SteplineSupportTests", "SteplineJSONTests", "SteplineXMLTests", "SteplineRequestsTests",
        "SteplineStepsTests", "SteplineRunsTests",
    ],
]

if let name = Context.environment["STEPLINE_PART"], !name.isEmpty {
    var needed = parts[name] ?? Set(name.split(separator: ",").map(String.init))
    var reached: Set<String> = []
    while let next = needed.subtracting(reached).first {
        reached.insert(next)
        for dependency in package.targets.first(where: { $0.name == next })?.dependencies ?? [] {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): needed.insert(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    // Of durable runs, only the stores call C.
    if name == "memory" {
        package.targets.first { $0.name == "SteplineRunsTests" }?.sources = [
            "Conformance", "PostgreSQL", "Running/KilledProgram.swift", "Sharing/Turns.swift",
            "Sharing/WorkersBeside.swift", "Store",
        ]
    }
    // Tests of the command start its binary.
    package.products.removeAll { $0.name != "stepline" || !needed.contains("SteplineTool") }
}
