import Foundation

let chains: [any Benchmark.Type] = [
    FourSteps.self, LongChains.self, WaitingChains.self, Growth.self, LargeContent.self,
]
let others: [any Benchmark.Type] = [
    JSONParsing.self, JSONDecoding.self, JSONQuerying.self,
    ManagedTasks.self,
    XMLParsing.self, XMLStreaming.self, XMLHostility.self,
    SmallGets.self, ManagedGets.self, LargeBody.self, StreamedRecords.self,
    Workflows.self, WorkflowMessages.self, WorkflowObjects.self,
    WorkflowLatency.self, WorkflowGranularity.self, WorkflowTelling.self, WorkflowPictures.self,
]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
    try runChild(arguments[1], Array(arguments.dropFirst(2)))
    exit(0)
}

let all = chains + others
let only = arguments.first.flatMap { $0.isEmpty ? nil : $0 }
let chosen =
    switch only {
    case nil: all
    case "chains": chains
    case "pages": [any Benchmark.Type]()
    case let name?: all.filter { $0.name == name }
    }
if chosen.isEmpty, only != "pages" {
    say("ONLY takes chains, pages, or one of: \(all.map { $0.name }.joined(separator: ", "))")
    exit(2)
}

let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
var results = try Results(from: folder.appending(path: "results.json"))
var report = Report()
for benchmark in chosen { try report.add(benchmark) }
results.take(report.sections, order: all.map { $0.name })
try results.write(to: folder.appending(path: "results.json"))
try Page(folder: folder).write(results)
say("\nwritten to Benchmarks/results.json, Benchmarks/README.md and Benchmarks/charts")
exit(report.allHold ? 0 : 1)
