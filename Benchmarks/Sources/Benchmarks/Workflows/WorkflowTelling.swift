import Foundation
import Stepline

/// What it costs to be told: the same run without listeners, with a reader of events, with notifications, recorded.
enum WorkflowTelling: Benchmark {
    static let name = "workflow-telling"
    static let summary = "300,000 empty tasks, layered, three prerequisites each, by who listens"

    enum Listener: String { case nobody, reader, notifications, records }

    static func run() throws -> [Finding] {
        var times: [Listener: [Double]] = [:]
        for _ in 0..<5 {
            for listener in [Listener.nobody, .reader, .notifications, .records] {
                times[listener, default: []].append(try time(listener))
            }
        }
        let base = median(times[.nobody] ?? [])
        func finding(_ name: String, _ listener: Listener, bound: Double? = nil) -> [Finding] {
            let own = median(times[listener] ?? [])
            return [
                Finding("\(name), a task", own, "ns"),
                Finding("\(name), times as long", own / base, "×", bound: bound),
            ]
        }
        return [Finding("nobody listens, a task", base, "ns")]
            + finding("a reader of all events", .reader, bound: 2)
            + finding("notifications that nobody observes", .notifications)
            + finding("attempts kept", .records)
    }

    static func time(_ listener: Listener) throws -> Double {
        let count = 300_000
        let center = listener == .notifications ? NotificationCenter() : nil
        let options = WorkflowOptions(keptAttempts: listener == .records ? 8 : 0)
        let workflow = Workflow("bench", notificationCenter: center, options: options)
        let graph = Graph(.layered, count)
        var refs: [TaskRef<Void>] = []
        for index in 0..<graph.count {
            refs.append(
                try workflow.add("task", following: graph.prerequisites(of: index).lazy.map { refs[$0] }) {})
        }
        var reading: Task<Int, Never>?
        if listener == .reader {
            let events = workflow.events
            reading = Task {
                var count = 0
                for await _ in events { count += 1 }
                return count
            }
        }
        let time = nanoseconds { WorkflowTiming.runToEnd(workflow) }
        reading?.cancel()
        return time / Double(refs.count)
    }
}
