import SteplinePipeline
import SteplineSupport

/// A step that waits for its turn before each attempt, and then does what it is made of.
final class FlowTurnStep: AsyncStep<FlowValue?, FlowValue>,
    @unchecked Sendable  // all that is stored is constant
{
    private let step: FlowStep
    private let turn: FlowTurn
    private let setting: FlowSetting

    init(_ step: FlowStep, _ turn: FlowTurn, in setting: FlowSetting) {
        self.step = step
        self.turn = turn
        self.setting = setting
        super.init()
    }

    override var inputKey: ContentKey<FlowValue?> { .init(ContentKey.flow.name) }
    override var outputKey: ContentKey<FlowValue> { .flow }

    override var inputs: [AnyContentKey] { super.inputs + step.references.declared }

    override func makeCopy() -> any Step {
        let copy = FlowTurnStep(step, turn, in: setting)
        copy.takeOptions(of: self)
        return copy
    }

    override func process(_ input: FlowValue?) async throws -> FlowValue {
        let context = context
        let bag = content
        let pass = try await turn.take(setting.clock, setting.turnWatch)
        defer { pass.giveBack() }
        // Counted from here, and not from when it began to wait.
        let timeout = step.countsOwnTime ? nil : step.policies.timeout
        return try await FlowTimeLimit.run(within: timeout, setting.clock) { [step, setting] _ in
            try await Self.run(step.parts(in: setting), bag, setting.clock, in: context)
        }
    }

    /// Runs the parts as a pipeline of their own, whose progress is the step's.
    private static func run(
        _ parts: [any Step], _ bag: Content, _ clock: any StepClock, in context: StepContext
    ) async throws -> FlowValue {
        let pipeline = Pipeline("turn", content: bag, options: PipelineOptions(clock: clock))
        for part in parts { try pipeline.addStep(part) }
        let events = pipeline.events
        let progress = Task {
            for await event in events {
                guard case .progressed(_, _, let completed?, let total) = event.kind else { continue }
                context.report(completed: completed, of: total)
            }
        }
        defer { progress.cancel() }
        do {
            let value = try await pipeline.run(returning: .flow)
            await progress.value
            return value
        } catch let error as PipelineError {
            throw error.underlying ?? error
        }
    }
}
