import Dispatch
import Foundation
import Stepline
import SteplineSupport
import SteplineTesting

/// A manager with interceptors and reactors of every mind, to which random tasks and messages are sent.
struct ManagedProgram: Sendable {
    private struct RandomFailure: Error {}

    /// Says what its random numbers say.
    private struct Moody: Interceptor {
        let seed: UInt64
        let calls = Recorder<Void>()
        let isCalm: Gate

        func intercept<T: ManagedTask>(
            _ task: inout T, context: InterceptContext
        ) async throws -> InterceptCommand {
            calls.record(())
            var random = StableRandom(seed: seed &+ UInt64(calls.count))
            if isCalm.isOpen { return .execute }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return .hold
            case 1: return .discard
            case 2: return .forceExecute
            case 3: return .delay(.microseconds(50))
            case 4: return .fail(RandomFailure())
            case 5: throw RandomFailure()
            default: return .execute
            }
        }
    }

    /// Reacts to failures, and now and then fails itself.
    private struct Touchy: Reactor {
        let seed: UInt64
        let configuration: ReactorConfiguration
        let runs = Recorder<Void>()

        func shouldExecute<T: ManagedTask>(
            after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
        ) async -> Bool {
            if case .failure = result { true } else { false }
        }

        func execute(_ run: ReactorRun) async throws {
            runs.record(())
            var random = StableRandom(seed: seed &+ UInt64(runs.count))
            await Task.yield()
            if Int.random(in: 0..<6, using: &random) == 0 { throw RandomFailure() }
        }
    }

    /// Ends by a callback, from another thread, or forgets it.
    private struct Called: CallbackTask {
        let forgets: Bool
        let isPlayed: Bool

        func execute(_ done: TaskCompletion<Int>) {
            if forgets { return }
            if isPlayed { Task.detached { done(1) } } else { DispatchQueue.global().async { done(1) } }
        }
    }

    private struct Plain: ManagedTask {
        let fails: Bool

        func execute() async throws -> Int {
            await Task.yield()
            try Task.checkCancellation()
            if fails { throw RandomFailure() }
            return 1
        }
    }

    /// The kinds that need threads and queues that nobody rules in a play.
    private enum Foreign: CaseIterable { case blockingPipeline, queuedPipeline, queuedWorkflow }

    private let seed: UInt64
    private let isPlayed: Bool
    private let isCalm = Gate()
    private let manager: TaskManager
    private let handles = Locked<[AnyTaskHandle]>([])
    private let ends = Recorder<ManagedTaskID>()
    /// Where some steps and tasks run, if it isn't a play; what waits there vanishes now and then.
    private let queue = OperationQueue()

    /// With a play's program nothing is done on threads of others.
    init(_ seed: UInt64, isPlayed: Bool) {
        self.seed = seed
        self.isPlayed = isPlayed
        var random = StableRandom(seed: seed)
        // A wait for the grace would exceed the test's limit.
        manager = TaskManager(
            interceptors: [Moody(seed: seed, isCalm: isCalm), Moody(seed: seed &* 3, isCalm: isCalm)],
            reactors: [
                Touchy(
                    seed: seed,
                    configuration: .init(
                        requeuesTask: Bool.random(using: &random),
                        suspendsTaskQueue: Bool.random(using: &random), maximumRequeues: 2))
            ],
            options: .init(
                maximumConcurrency: Bool.random(using: &random) ? nil : Int.random(in: 1...3, using: &random),
                grace: .seconds(3_600)))
    }

    /// Does something from one of several senders' random numbers.
    func act(_ random: inout StableRandom) async {
        if Bool.random(using: &random) {
            let handle = add(&random)
            handles.withLock { $0.append(handle) }
        } else {
            let handle = handles.withLock { $0.randomElement(using: &random) }
            await send(to: handle, &random)
        }
    }

    /// Has three senders at work at once.
    func sendFromAll() async {
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<3 {
                group.addTask {
                    var random = StableRandom(seed: seed &* 23 &+ UInt64(sender))
                    for _ in 0..<25 {
                        await act(&random)
                        if isPlayed { await Task.yield() }
                    }
                }
            }
        }
    }

    /// Brings everything to its end; what is wrong then, or nothing.
    func finish() async throws -> [String] {
        isCalm.open()
        manager.resume()
        let all = handles.withLock { $0 }
        for handle in all { handle.start() }
        for _ in 0..<2 {
            manager.releaseHeld()
            try await manager.waitUntilIdle()
        }
        await ends.waitForCount(all.count)
        var faults: [String] = []
        if Set(ends.values).count != all.count || ends.count != all.count {
            faults.append("\(all.count) tasks have ended \(ends.count) times")
        }
        if !manager.tasks.isEmpty { faults.append("left: \(manager.explain())") }
        _ = try await manager.shutdown()
        return faults
    }

    private func add(_ random: inout StableRandom) -> AnyTaskHandle {
        var options = TaskManager.AddOptions(startsImmediately: Int.random(in: 0..<5, using: &random) > 0)
        if Int.random(in: 0..<8, using: &random) == 0 { options.timeout = .microseconds(80) }
        if Int.random(in: 0..<8, using: &random) == 0 { options.deadline = .microseconds(200) }
        options.priority = Priority.allCases.randomElement(using: &random) ?? .normal
        func added<T: ManagedTask>(_ task: T) -> AnyTaskHandle {
            let handle = manager.add(task, options: options)
            handle.onEnd { [identifier = handle.identifier, ends] _ in ends.record(identifier) }
            return handle.erased
        }
        let fails = Int.random(in: 0..<4, using: &random) == 0
        if !isPlayed, random.next() % 3 == 0 {
            switch Foreign.allCases.randomElement(using: &random) {
            case .queuedWorkflow:
                let workflow = Workflow("queued", queue: queue, options: .init(grace: .seconds(3_600)))
                _ = try? workflow.add("body") { holdThread() }
                return added(workflow)
            case .queuedPipeline: return added(Pipeline { blockingStep(fails).on(queue) })
            case .blockingPipeline, nil: return added(Pipeline { blockingStep(fails) })
            }
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return added(Called(forgets: fails, isPlayed: isPlayed))
        case 1:
            let workflow = Workflow("inner", options: .init(grace: .seconds(3_600)))
            let first = try? workflow.add("first") { () async throws -> Int in
                await Task.yield()
                try Task.checkCancellation()
                if fails { throw RandomFailure() }
                return 1
            }
            if let first { _ = try? workflow.add("second", after: first) { $0 + 1 } }
            return added(workflow)
        case 2:
            return added(
                Pipeline {
                    BlockStep { () throws -> Int in
                        if fails { throw RandomFailure() }
                        return 1
                    }
                    BlockStep { (number: Int) async -> Int in
                        await Task.yield()
                        return number
                    }
                })
        default: return added(Plain(fails: fails))
        }
    }

    private func blockingStep(_ fails: Bool) -> BlockStep<Void, Int> {
        BlockStep { () throws -> Int in
            holdThread()
            if fails { throw RandomFailure() }
            return 1
        }
    }

    private func send(to handle: AnyTaskHandle?, _ random: inout StableRandom) async {
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: handle?.cancel()
        case 2: handle?.start()
        case 3: handle?.setPriority(.high)
        case 4: manager.pause()
        case 5, 6: manager.resume()
        case 7: manager.releaseHeld()
        case 8: if Int.random(in: 0..<6, using: &random) == 0 { manager.cancelAll() }
        case 9:
            let events = manager.events
            let reader = Task { for await event in events where event.number % 5 == 0 { break } }
            await Task.yield()
            reader.cancel()
        case 10: _ = manager.explain()
        case 11: if !isPlayed { queue.cancelAllOperations() }
        case 12:
            // A subscription that comes and goes, to a task of its own.
            let handle = manager.add(Plain(fails: false))
            handle.onEnd { [identifier = handle.identifier, ends] _ in ends.record(identifier) }
            let subscription = handle.onSuccess { _ in }
            handles.withLock { $0.append(handle.erased) }
            await Task.yield()
            subscription.cancel()
        default: _ = handle?.explain()
        }
    }
}
