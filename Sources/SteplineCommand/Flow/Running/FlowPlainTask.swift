import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task, or an element of a map, whose steps run on the thread that the workflow gives it, without a pipeline.
///
/// This saves the pipeline with its events, a Swift task and the way from one thread to another, which are most of what a
/// trivial task takes. It is for steps that wait for nothing and are tried once, where nobody looks at them one by one;
/// a test holds it to what pipelines of the same steps do.
final class FlowPlainTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private let shared: FlowSharedPlan
    /// Its place in the order of the plan.
    private let number: Int
    private let element: Element?

    /// What an element has beside its task.
    struct Element {
        let element: FlowElement
        /// What formulas of the whole map see.
        let bag: Content
        let room: FlowMapRoom
        /// Told when it is over.
        let ended: @Sendable () -> Void
    }

    init(_ number: Int, of shared: FlowSharedPlan, _ options: TaskOptions, element: Element? = nil) {
        self.shared = shared
        self.number = number
        self.element = element
        let name = shared.plan.told(shared.plan.order[number].name)
        super.init(
            name: element.map { FlowElement.name($0.element.key, in: name) } ?? name, options: options)
    }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    override func main() {
        let attempt = currentAttempt
        do {
            attempt.finish(with: try result(attempt))
        } catch {
            attempt.fail(with: error)
        }
        element?.ended()
    }

    // The plan is asked once: to copy it takes as long as a trivial step.
    private func result(_ attempt: TaskAttempt) throws -> FlowResult {
        guard let element else {
            return try shared.plan.result(of: number, behind: prerequisites, in: attempt)
        }
        try element.room.begin()
        return try element.room.keep(
            shared.plan.run(number, element.element.bag(element.bag), in: attempt, tellsSteps: false))
    }
}

extension FlowPlan {
    /// Whether a task's steps are run without a pipeline.
    func isPlain(_ task: FlowTask) -> Bool {
        !followsSteps && !isKept && task.flow == nil && task.steps.allSatisfy(\.isPlain)
    }

    /// Runs a plain task, given by its place in the order, behind those that have ended before it.
    fileprivate func result(
        of number: Int, behind before: [WorkflowTask], in attempt: TaskAttempt
    ) throws -> FlowResult {
        switch try beginning(of: order[number], behind: before) {
        case .skipped(let reason): return FlowResult(skipped: reason)
        case .run(let bag):
            let result = try run(number, bag, in: attempt, tellsSteps: true)
            try checkWritten(by: order[number])
            return result
        }
    }

    /// Runs the steps of a plain task; what is thrown is as of its pipeline.
    fileprivate func run(
        _ number: Int, _ bag: Content, in attempt: TaskAttempt, tellsSteps: Bool
    ) throws -> FlowResult {
        var value = bag[.flow]
        var made = 0
        for step in order[number].steps {
            let scope = FlowScope(setting: setting, bag: bag, input: value) {
                if attempt.isCancelled { throw CancellationError() }
            }
            do {
                try scope.checkCancellation()
                value = try scope.locating { try step.work(scope) }
                made += scope.budget.made
            } catch let error as CancellationError {
                throw error
            } catch {
                throw setting.secrets.hidden(setting.failure(of: step, after: 1, error))
            }
            if tellsSteps { attempt.report(step: step.title) }
        }
        let result = value ?? .json(.null)
        try keep(result, of: order[number], made: made)
        return FlowResult(value: result)
    }
}

extension FlowStep {
    /// Whether it waits for nothing, and is tried once.
    fileprivate var isPlain: Bool {
        switch verb {
        case .load, .pages, .run, .broken: false
        default: isUsual
        }
    }
}
