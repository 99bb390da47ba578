import Stepline

/// Measures messages to a whole workflow, its check and its memory.
enum WorkflowMessages: Benchmark {
    static let name = "workflow-messages"
    static let summary = "messages to 1,000,000 tasks, layered, three prerequisites each; memory"

    private static let count = Sizes.of(1_000_000)
    private static let messages = [
        "check of 1,000,000", "cancel of 1,000,000", "retry and cancel of 1,000,000", "reset of 1,000,000",
        "cancel from one task",
    ]

    static func run() throws -> [Finding] {
        let graph = Graph(.layered, count)
        let turns = try Turns(rounds: 3, of: [name]) { _ in try measure(graph) }
        let findings = messages.enumerated().flatMap { place, title in
            [
                Finding(title, (turns.median(name, place + 1) ?? .nan) / 1e9, "s"),
                Finding(
                    "\(title), of the time to build them",
                    ratio: turns.ratio(name, place + 1, to: name, 0), atMost: 1),
            ].compactMap { $0 }
        }
        let memory = try Child.numbers("workflow-memory").first ?? .nan
        return findings + Kept.memory("memory a task, chain", memory)
    }

    /// The nanoseconds of the build, and of each message.
    private static func measure(_ graph: Graph) throws -> [Double] {
        let workflow = GraphWorkflow.make()
        let build = try nanoseconds { try GraphWorkflow.add(graph, to: workflow) }
        let root = workflow.allTasks.first
        return [
            build,
            nanoseconds { _ = workflow.check() },
            nanoseconds { workflow.cancel() },
            nanoseconds {
                workflow.retry()
                workflow.cancel()
            },
            nanoseconds { workflow.reset() },
            nanoseconds { root?.cancel() },
        ]
    }

    /// In a fresh process: how many bytes of memory a task takes, with its closure and one prerequisite.
    static func measureMemory() throws {
        let before = processStatus("VmRSS")
        let workflow = Workflow("bench")
        var last: TaskRef<Void>?
        for _ in 0..<count {
            let before = last.map { [$0] } ?? []
            last = try workflow.add("", following: before) {}
        }
        say("\(Double(processStatus("VmRSS") - before) / Double(count))")
        withExtendedLifetime(workflow) {}
    }
}
