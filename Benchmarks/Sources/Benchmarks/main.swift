import Foundation

let benchmarks: [any Benchmark.Type] = [
    FourSteps.self, LongChains.self, WaitingChains.self, Growth.self, LargeContent.self, Workflows.self,
    WorkflowMessages.self, WorkflowObjects.self,
]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
    try runChild(arguments[1], Array(arguments.dropFirst(2)))
    exit(0)
}

let only = arguments.first.flatMap { $0.isEmpty ? nil : $0 }
var report = Report()
for benchmark in benchmarks where only == nil || only == benchmark.name {
    say("\n\(benchmark.name): \(benchmark.summary)")
    report.add(try benchmark.run())
}
if only == nil {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "results.json")
    try report.write(to: file)
    say("\nwritten to \(file.path)")
}
exit(report.allHold ? 0 : 1)
