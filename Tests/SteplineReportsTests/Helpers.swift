import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow

struct Broken: Error, LocalizedError {
    var text = "the disk is full"
    var errorDescription: String? { text }
}

/// An error with another behind it.
struct Wrapped: ErrorWithCause, LocalizedError {
    var text: String
    var underlying: (any Error)?
    var errorDescription: String? { text }
}

/// A workflow whose clock the test moves, and whose attempts the test ends.
struct Bench {
    let clock = ManualClock()
    let workflow: Workflow
    let begun = Recorder<String>()

    init(_ name: String = "bench", keptAttempts: Int = 8) {
        workflow = Workflow(name, options: WorkflowOptions(keptAttempts: keptAttempts, clock: clock))
    }

    /// A workflow with one task.
    static func single() throws -> Workflow {
        let workflow = Workflow("single")
        try workflow.add("task") {}
        return workflow
    }

    /// Adds a task that Executes until the test ends it.
    @discardableResult
    func add(
        _ name: String, after prerequisites: [WorkflowTask] = [],
        keyed: [PrerequisiteKey: WorkflowTask] = [:], allowingFailureOf: [WorkflowTask] = [],
        options: TaskOptions = .init()
    ) throws -> WorkflowTask {
        let task = BlockTask(name: name, options: options) { [begun] _ in begun.record(name) }
        return try workflow.add(
            task, prerequisites: prerequisites, keyedPrerequisites: keyed,
            allowingFailureOf: allowingFailureOf
        )
    }

    /// Waits until a task's attempt has begun, lets time pass, and finishes it.
    func finish(_ task: WorkflowTask, after seconds: Int) async {
        await awaitBegin(of: task)
        clock.advance(by: .seconds(seconds))
        task.finish()
    }

    func awaitBegin(of task: WorkflowTask, attempt: Int = 1) async {
        var count = 1
        while !Task.isCancelled, begun.values.filter({ $0 == task.name }).count < attempt {
            await begun.waitForCount(count)
            count = begun.count + 1
        }
    }
}

/// Names that would break out of any format that takes them as they are.
let hostileNames = [
    "\"quoted\" & <tagged>", "</title></svg><script>alert(1)</script>", "a\\\"b\\N\\l{x|y}",
    "]]>--><!--", "end\nsubgraph x", "`code` #quot; ;%%{init}%%", "\u{0}\u{1}\u{8}\u{1B}[31m\u{7F}",
    "\u{202E}gnp.exe", "😀 名前 e\u{301}", "'; DROP TABLE tasks; --", "\u{FFFE}\u{FFFF}", "",
    String(repeating: "long ", count: 200), "{{7*7}}[\"x\"](y)", "\u{2028}line\u{2029}",
]
