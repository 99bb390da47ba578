import Foundation

let chains: [any Benchmark.Type] = [
    FourSteps.self, LongChains.self, WaitingChains.self, Growth.self, LargeContent.self,
]
let others: [any Benchmark.Type] = [
    JSONParsing.self, JSONDecoding.self, JSONKinds.self, JSONQuerying.self,
    ManagedTasks.self, BlockingBodies.self,
    XMLParsing.self, XMLStreaming.self, XMLHostility.self,
    XMLKinds.self, XMLDecoding.self, FeedReading.self, HTMLParsing.self,
    SmallGets.self, ManagedGets.self, LargeBody.self, StreamedRecords.self,
    CurlRace.self, FetchRace.self, SlowServers.self,
    Workflows.self, WorkflowMessages.self, WorkflowObjects.self,
    WorkflowBodies.self, WorkflowHandOver.self, WorkflowIdleStarts.self, WorkflowLatency.self,
    WorkflowGranularity.self, LimitedMaps.self, GrowingMaps.self, TypedClosures.self, WorkflowTelling.self,
    WorkflowPictures.self,
    DurableSteps.self, Simulations.self,
]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
    try runChild(arguments[1], Array(arguments.dropFirst(2)))
    exit(0)
}

let all = chains + others
var report = Report()
if arguments.first == "--compare" {
    report.tell(try Comparison(Array(arguments.dropFirst())).section)
} else {
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
    for benchmark in chosen { try report.run(benchmark) }
}
try Destination.chosen.take(report.sections, order: all.map { $0.name } + [Comparison.section])
exit(report.allHold || Sizes.isTrial ? 0 : 1)
