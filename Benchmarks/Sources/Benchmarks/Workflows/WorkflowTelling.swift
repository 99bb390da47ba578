import Foundation
import Stepline

/// Measures listeners: the same run without any, with a reader of events, with notifications, recorded.
enum WorkflowTelling: Benchmark {
    static let name = "workflow-telling"
    static let summary = "300,000 empty tasks, layered, three prerequisites each, by who listens"

    private enum Listener: String, CaseIterable { case nobody, reader, notifications, records }

    static func run() throws -> [Finding] {
        let graph = Graph(.layered, Sizes.of(300_000))
        let turns = try Turns(rounds: 5, of: Listener.allCases) { try [time($0, graph)] }
        func notified(_ name: String, _ listener: Listener) -> Finding {
            Finding("\(name), a task", turns.median(listener) ?? .nan, "ns")
        }
        let bounded: [Finding?] = [
            Finding(
                "a reader of all events, of the time without",
                ratio: turns.ratio(Listener.reader, to: .nobody), atMost: 2),
            Finding(
                "notifications that nobody observes, of the time without",
                ratio: turns.ratio(Listener.notifications, to: .nobody), atMost: 4),
        ]
        let kept = turns.ratio(Listener.records, to: .nobody) ?? .nan
        return [
            notified("nobody listens", .nobody),
            notified("a reader of all events", .reader),
            notified("notifications that nobody observes", .notifications),
            notified("attempts kept", .records),
            Finding("attempts kept, of the time without", kept, "times"),
        ] + bounded.compactMap(\.self)
    }

    /// Runs the graph three times with one kind of listener, for a profiler; without a limit if `workers` is 0.
    static func profile(_ name: String, workers: Int) throws {
        guard let listener = Listener(rawValue: name) else { throw ChildFailed(task: name) }
        let graph = Graph(.layered, Sizes.of(300_000))
        for _ in 0..<3 { say("\(try time(listener, graph, workers: workers == 0 ? nil : workers))") }
    }

    private static func time(_ listener: Listener, _ graph: Graph, workers: Int? = nil) throws -> Double {
        let center = listener == .notifications ? NotificationCenter() : nil
        let options = WorkflowOptions(
            maximumConcurrency: workers, keptAttempts: listener == .records ? 8 : 0)
        let workflow = Workflow("bench", notificationCenter: center, options: options)
        try GraphWorkflow.add(graph, to: workflow, named: "task")
        var reading: Task<Int, Never>?
        if listener == .reader {
            let events = workflow.events
            reading = Task {
                var count = 0
                for await _ in events { count += 1 }
                return count
            }
        }
        let time = nanoseconds { GraphWorkflow.runToEnd(workflow) }
        reading?.cancel()
        return time / Double(graph.count)
    }
}
