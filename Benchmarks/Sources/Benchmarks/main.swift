import Foundation

let chains: [any Benchmark.Type] = [
    FourSteps.self, LongChains.self, WaitingChains.self, Growth.self, LargeContent.self,
]
let others: [any Benchmark.Type] = [
    JSONParsing.self, JSONDecoding.self, JSONQuerying.self,
    ManagedTasks.self,
    XMLParsing.self, XMLStreaming.self, XMLHostility.self,
    SmallGets.self, LargeBody.self, StreamedRecords.self,
    Workflows.self, WorkflowMessages.self, WorkflowObjects.self,
    WorkflowLatency.self, WorkflowGranularity.self, WorkflowTelling.self, WorkflowPictures.self,
]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
    try runChild(arguments[1], Array(arguments.dropFirst(2)))
    exit(0)
}

let only = arguments.first.flatMap { $0.isEmpty ? nil : $0 }
var report = Report()
for benchmark in chains where only == nil || only == "chains" || only == benchmark.name {
    try report.add(benchmark)
}
for benchmark in others where only == nil || only == benchmark.name {
    try report.add(benchmark)
}
if only == nil || only == "chains" {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    try report.write(to: folder.appending(path: "results.json"))
    try report.writeTables(into: folder.appending(path: "README.md"))
    say("\nwritten to Benchmarks/results.json and Benchmarks/README.md")
}
exit(report.allHold ? 0 : 1)
