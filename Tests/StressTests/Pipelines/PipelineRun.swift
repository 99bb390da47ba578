import Dispatch
import Foundation
import Stepline
import SteplineSupport
import SteplineTesting

/// One run of a random program, and everything that was seen of it.
final class PipelineRun: Sendable {
    let program: PipelineProgram
    let pipeline: Pipeline<Content>
    private let queue = OperationQueue()
    private let owner = Owner()
    private let random: Locked<StableRandom>

    /// The steps that went in and came out again, and those that ran, in order.
    let added = Recorder<String>()
    let removed = Recorder<String>()
    let ran = Recorder<String>()
    /// How many bodies were at work when another began.
    let overlaps = Recorder<Int>()
    private let atWork = Locked(0)
    private let stepCount = Locked(0)

    let ends = Recorder<Outcome<Content>>()
    let successes = Recorder<String>()
    let failures = Recorder<PipelineError>()
    /// The result of each `cancel()`.
    let cancels = Recorder<Bool>()
    /// Contradictions that a thread observed.
    let contradictions = Recorder<String>()

    private final class Owner: Sendable {}

    init(_ program: PipelineProgram, released: Gate) throws {
        self.program = program
        random = Locked(StableRandom(seed: program.seed))
        pipeline = Pipeline("stress")
        let sentinel = Sentinel(released)
        for body in program.bodies { try add(body, sentinel) }
        pipeline.onEnd { [self] outcome in ends.record(outcome) }
        pipeline.onSuccess(for: owner) { [self] _ in successes.record("success") }
        pipeline.onFailure(for: owner) { [self] error in failures.record(error) }
    }

    /// Opens its gate when it is freed: nothing holds the pipeline's steps any more.
    final class Sentinel: Sendable {
        private let gate: Gate
        init(_ gate: Gate) { self.gate = gate }
        deinit { gate.open() }
    }

    // MARK: Steps

    @discardableResult
    private func add(
        _ body: PipelineProgram.Body, _ sentinel: Sentinel? = nil, at place: (any Step) throws -> Void
    ) throws -> any Step {
        let name = stepCount.withLock { count in
            count += 1
            return "\(count)"
        }
        let step = makeStep(body, name, sentinel)
        try place(step)
        added.record(name)
        return step
    }

    private func add(_ body: PipelineProgram.Body, _ sentinel: Sentinel? = nil) throws {
        try add(body, sentinel) { try pipeline.addStep($0) }
    }

    private func makeStep(_ body: PipelineProgram.Body, _ name: String, _ sentinel: Sentinel?) -> any Step {
        // The pipeline holds its steps, and these hold the run, which holds the pipeline: the run lets go.
        let step =
            switch body {
            case .async:
                BlockStep<Void, Void>(to: .nothing) { [weak self, sentinel] (_, context: StepContext) in
                    self?.began(name, context)
                    await Task.yield()
                    self?.ended()
                    withExtendedLifetime(sentinel) {}
                }
            default:
                BlockStep<Void, Void>(to: .nothing) { [weak self, sentinel] (_, context: StepContext) in
                    self?.began(name, context)
                    defer { self?.ended() }
                    try self?.work(body, context)
                    withExtendedLifetime(sentinel) {}
                }
            }
        if body == .queued { step.options.queue = queue }
        if body == .retried { step.options.retry = .constant(attempts: 3, delay: .zero) }
        return step.named(name)
    }

    private func began(_ name: String, _ context: StepContext) {
        if context.attempt == 1 { ran.record(name) }
        let others = atWork.withLock { count in
            count += 1
            return count - 1
        }
        if others > 0 { overlaps.record(others) }
    }

    private func ended() { atWork.withLock { $0 -= 1 } }

    private func work(_ body: PipelineProgram.Body, _ context: StepContext) throws {
        switch body {
        case .plain, .async, .queued: break
        case .blocking: holdThread()
        case .failing: throw Planned(isTransient: false)
        case .retried: if context.attempt < 3 { throw Planned(isTransient: true) }
        case .throwsCancellation: throw CancellationError()
        case .addsSteps: for _ in 0..<2 { try? add(.plain) }
        case .removesLast: removeLast()
        case .cancelsItself: pipeline.steps.first { $0.isExecuting }?.cancel()
        case .cancelsPipeline: cancels.record(pipeline.cancel())
        case .reportsProgress:
            for part in 0...4 { context.report(fraction: Double(part) / 4) }
        }
    }

    private func removeLast() {
        guard let last = pipeline.steps.last, (try? pipeline.remove(last)) != nil else { return }
        removed.record(last.options.name ?? "")
    }

    // MARK: Deeds

    /// Does what the program says, from several threads at once, and waits for all of them and for the end.
    func run() async -> Outcome<Content> {
        let done = Recorder<Int>()
        if program.startsFirst { start() }
        for deeds in program.deeds {
            DispatchQueue.global().async { [self] in
                for deed in deeds { perform(deed) }
                done.record(1)
            }
        }
        if !program.startsFirst { start() }
        await done.waitForCount(program.deeds.count)
        return await pipeline.outcome()
    }

    /// The same in a simulation, where the threads are Swift tasks, and others may come in between any two deeds.
    func play() async -> Outcome<Content> {
        if program.startsFirst { start() }
        await withDiscardingTaskGroup { group in
            for deeds in program.deeds {
                group.addTask { [self] in
                    for deed in deeds {
                        perform(deed)
                        await Task.yield()
                    }
                }
            }
            if !program.startsFirst { start() }
        }
        return await pipeline.outcome()
    }

    private func start() {
        do {
            try pipeline.start()
        } catch let error as PipelineError where error.code == .alreadyStarted {
            // The outcome was awaited before, which starts the pipeline.
        } catch {
            // All steps may have been taken out by then: such a pipeline must still be cancelled to end.
            if (error as? PipelineError)?.code != .checkFailed { contradictions.record("start: \(error)") }
            pipeline.cancel("empty")
        }
    }

    private func perform(_ deed: PipelineProgram.Deed) {
        switch deed {
        case .addStep: try? add(.plain)
        case .insertFirst: _ = try? add(.plain) { try pipeline.insert($0, after: nil) }
        case .removeLast: removeLast()
        case .cancel:
            cancels.record(pipeline.cancel())
        case .cancelStep:
            let steps = pipeline.steps
            random.withLock { steps.randomElement(using: &$0) }?.cancel()
        case .lookAround: lookAround()
        case .observe:
            pipeline.onEnd { [self] _ in
                let isOver = pipeline.isFinished && !pipeline.isExecuting
                if !isOver { contradictions.record("told of an end before it") }
            }
        case .emptyQueue: queue.cancelAllOperations()
        case .comeAndGo:
            let subscriptions = [pipeline.onEnd { _ in }, pipeline.onSuccess { _ in }]
            for subscription in subscriptions { subscription.cancel() }
        case .unobserve: pipeline.removeFailureCallbacks(of: owner)
        case .copy:
            // Blocks are copied with all they capture.
            if (try? pipeline.copy()) == nil {
                contradictions.record("a pipeline of blocks could not be copied")
            }
        case .readEvents, .awaitOutcome:
            let pipeline = pipeline
            Task {
                if deed == .awaitOutcome { return _ = await pipeline.outcome() }
                for await _ in pipeline.events {}
            }
        }
    }

    private func lookAround() {
        _ = pipeline.explain()
        _ = pipeline.progress.fractionCompleted
        _ = pipeline.description
        if pipeline.isFinished, pipeline.isExecuting { contradictions.record("finished and executing") }
        switch pipeline.state {
        case .ended(.failure): if pipeline.error == nil { contradictions.record("failed without an error") }
        case .ended: if pipeline.error != nil { contradictions.record("an error without a failure") }
        case .ready, .running, .cancelling: break
        }
    }
}
