import Foundation
import Stepline

/// What messages to a whole workflow, its check and its memory cost.
enum WorkflowMessages: Benchmark {
    static let name = "workflow-messages"
    static let summary = "messages to 1,000,000 tasks, layered, three prerequisites each; memory"

    static func run() throws -> [Finding] {
        let workflow = try WorkflowTiming.make(.layered, 1_000_000)
        let root = workflow.allTasks.first
        let check = nanoseconds { _ = workflow.check() }
        let cancel = nanoseconds { workflow.cancel() }
        let retry = nanoseconds {
            workflow.retry()
            workflow.cancel()
        }
        let reset = nanoseconds { workflow.reset() }
        let fromRoot = nanoseconds { root?.cancel() }
        let memory = try Child.numbers("workflow-memory").first ?? 0
        return [
            Finding("check of 1,000,000", check / 1e9, "s", bound: 10),
            Finding("cancel of 1,000,000", cancel / 1e9, "s", bound: 0.5),
            Finding("retry and cancel of 1,000,000", retry / 1e9, "s", bound: 1),
            Finding("reset of 1,000,000", reset / 1e9, "s", bound: 0.5),
            Finding("cancel from one task", fromRoot / 1e9, "s", bound: 0.5),
            Finding("memory a task, chain", memory, "bytes", bound: 400),
        ]
    }
}

/// A task by subclass, for the cost of making one.
final class EmptyTask: WorkflowTask, @unchecked Sendable {  // adds nothing
    override func main() { finish() }
}

extension WorkflowTiming {
    static func make(_ shape: Shape, _ count: Int) throws -> Workflow {
        let workflow = Workflow("bench")
        let graph = Graph(shape, count)
        var refs: [TaskRef<Void>] = []
        for index in 0..<graph.count {
            refs.append(
                try workflow.add("", following: graph.prerequisites(of: index).lazy.map { refs[$0] }) {})
        }
        return workflow
    }

    /// How many bytes of memory a task takes, with its closure and one prerequisite.
    static func memory() throws {
        let before = processStatus("VmRSS")
        let workflow = Workflow("bench")
        var last: TaskRef<Void>?
        for _ in 0..<1_000_000 {
            last =
                try last.map { before in try workflow.add("", following: [before]) {} } ?? workflow.add("") {}
        }
        say("\(Double(processStatus("VmRSS") - before) / 1e6)")
        withExtendedLifetime(workflow) {}
    }

    /// Objects of a subclass, one after the other.
    static func subclasses(_ count: Int) throws -> WorkflowTiming {
        let workflow = Workflow("bench")
        var timing = WorkflowTiming()
        timing.build = nanoseconds {
            var last: EmptyTask?
            for _ in 0..<count {
                do {
                    let task = EmptyTask()
                    try workflow.add(task, prerequisites: last.map { [$0] } ?? [])
                    last = task
                } catch { print(error) }
            }
        }
        timing.run = nanoseconds { runToEnd(workflow) }
        return WorkflowTiming(build: timing.build / Double(count), run: timing.run / Double(count))
    }
}
