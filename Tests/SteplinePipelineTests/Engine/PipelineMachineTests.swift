import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplinePipeline

/// The machine by itself, without threads, against a model, under messages in every order.
@Suite("The pipeline's machine", .timeLimit(.minutes(5)))
struct PipelineMachineTests {
    private final class Nothing: BasicStep<Void, Void>, @unchecked Sendable {}

    private final class NoDriver: StepDriver {
        var stepCount: Int { 1 }
        var clock: any StepClock { .system }
        func bodyEnded(_ step: StepOperation, _ end: AttemptEnd, attempt: UInt32, inTask: Bool) {}
        func stepWasCancelled(_ step: StepOperation) {}
        func stepReported(_ step: StepOperation, attempt: UInt32, _ progress: StepProgress) {}
    }

    @Test func `a stop that comes when another attempt has begun leaves that alone`() {
        var state = StepState(), remains = StepRemains()
        let driver = NoDriver()
        for attempt in 1...2 as ClosedRange<UInt32> {
            _ = state.begin(attempt: attempt, content: nil, driver: driver, index: 0, &remains)
            if attempt == 1 { _ = state.bodyReturned(.succeeded(Content()), &remains) }
        }
        #expect(state.addStopHandler(2) {})
        #expect(state.stop(attempt: 1).isEmpty && !state.isStopped(2) && state.isStopped(1))
        #expect(state.stop(attempt: 2).count == 1 && state.isStopped(2))
    }

    /// A machine with its turn, the model beside it, and who was told.
    private struct Pair {
        var held: Watched<PipelineMachine>
        private let watch = LockWatch()
        var turn = PipelineTurn()
        var model: PipelineModel
        /// All that there have been, by their numbers.
        private(set) var steps: [Nothing] = []
        private var reported: [PipelineModel.Listener] = []
        private var listeners: [UInt64: PipelineModel.Listener] = [:]
        private var listenerCount = 0
        private var cancelCameFirst = false
        /// How often the line or the first bag was changed, and what was checked last.
        private var changes = 0
        private var checked: (version: UInt32, changes: Int) = (0, 0)
        /// Whether the time of the attempt at hand is over.
        private var timeIsOver = false
        private let calendar = PipelineCalendar(.system)

        init(steps count: Int, lacksOutput: Bool) throws {
            var first = Content()
            first[Self.load] = watch.thing()
            let options = PipelineOptions(deadline: .seconds(100))
            held = Watched(
                PipelineMachine(identity: PipelineIdentity("m"), options: options, content: first), watch)
            model = PipelineModel(Array(0..<count), lacksOutput: lacksOutput)
            steps = (0..<count).map { _ in Self.step() }
            let steps = steps
            try held.machine.edit { line, _ throws(EditRefusal) in line.insert(steps, at: 0) }
            for kind in Self.kinds { listen(kind) }
            check()
        }

        private static func step() -> Nothing { Nothing().timeout(.seconds(10)) }

        private static let kinds: [Callbacks<PipelineEnd>.Kind] = [.success, .failure, .end]

        mutating func perform(_ message: Int, _ random: inout StableRandom) {
            // Mostly the numbers that are right, sometimes late or wrong ones.
            let isLate = Int.random(in: 0..<6, using: &random) == 0
            let any = Int.random(in: 0..<steps.count, using: &random)
            let index = isLate ? any : model.step ?? any
            let number = max(0, model.attempt - (isLate ? Int.random(in: 0...1, using: &random) : 0))
            let verdict = PipelineModel.Verdict.allCases.randomElement(using: &random) ?? .success
            switch message {
            case 0:
                if !isLate { check() }
                _ = held.machine.start(version: checked.version, calendar, &turn)
                if checked.changes == changes { model.start() }
            case 1, 2:
                // A job is made once nothing else is waited for.
                guard model.at != .others else {
                    _ = held.machine.othersHaveEnded(at: .callersStack, &turn)
                    return model.othersHaveEnded()
                }
                if model.at == .queued { timeIsOver = false }
                _ = held.machine.jobBegan(&turn)
                model.jobBegan()
            case 3, 4, 5, 6:
                let favoured = message < 5 && !model.isCancelling ? .success : verdict
                let reported = self.verdict(favoured), finding = finding
                let end = held.machine.bodyEnded(
                    steps[index], attempt: UInt32(number), reported, finding, at: .callersStack, &turn)
                end?.ended?.tell()
                model.bodyEnded(index, number, favoured)
            case 7:
                let retries = Bool.random(using: &random), error = error
                turn.withdraw(.timeout)
                timeIsOver = true
                held.machine.timedOut(
                    steps[index], attempt: UInt32(number), error,
                    retryAfter: retries ? .seconds(1) : nil, &turn)
                if index == model.step { model.timedOut(number, retries: retries) }
            case 8, 9:
                guard
                    let timer = turn.timers.keys.sorted(by: { $0.rawValue < $1.rawValue })
                        .randomElement(using: &random)
                else { return }
                fire(timer)
            case 10:
                let wasFirst = held.machine.cancel(.requested, calendar, &turn)
                #expect(wasFirst == model.cancel())
                if wasFirst { cancelCameFirst = true }
            case 11:
                steps[index].cancel()
                held.machine.stepWasCancelled(steps[index], &turn)
                model.stepCancelled(index)
            case 12: insert(&random)
            case 13: remove(any, andLater: isLate)
            case 14: listen(Self.kinds.randomElement(using: &random) ?? .end)
            case 16:
                let bag = bag
                held.machine.replaceFirstBag(bag, &turn)
                if model.at == .ready { changes += 1 }
            case 17: check()
            case 18:
                held.machine.cancelUnlessStarted(.requested, calendar, &turn)
                if model.at == .ready { _ = model.cancel() }
            default: stopListening(&random)
            }
        }

        private mutating func check() { checked = (held.machine.line.version, changes) }

        // MARK: Editing

        private mutating func insert(_ random: inout StableRandom) {
            let other = Int.random(in: 0..<steps.count, using: &random), step = Self.step()
            let (place, index): (StepPlace, Int?) =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: (.first, 0)
                case 1: (.last, model.line.count)
                case 2: (.before(steps[other]), model.line.firstIndex(of: other))
                default: (.after(steps[other]), model.line.firstIndex(of: other).map { $0 + 1 })
                }
            if Int.random(in: 0..<3, using: &random) == 0 {
                step.addDependency(Operation())
                model.dependents.insert(steps.count)
            }
            steps.append(step)
            let isIn = hasEdited { line throws(EditRefusal) in
                line.insert(CollectionOfOne(step), at: try line.index(of: place))
            }
            #expect(isIn == (index.map { model.insert(steps.count - 1, at: $0) } ?? false))
        }

        private mutating func remove(_ number: Int, andLater: Bool) {
            let step = steps[number]
            let isOut = hasEdited { line throws(EditRefusal) in
                _ = try line.remove(step, andLater: andLater)
            }
            #expect(isOut == model.remove(number, andLater: andLater))
        }

        private mutating func hasEdited(_ change: (inout StepLine) throws(EditRefusal) -> Void) -> Bool {
            do {
                try held.machine.edit { line, _ throws(EditRefusal) in try change(&line) }
                changes += 1
                return true
            } catch {
                return false
            }
        }

        // MARK: Listening

        private mutating func listen(_ kind: Callbacks<PipelineEnd>.Kind) {
            listenerCount += 1
            let listener = PipelineModel.Listener(kind: "\(kind)", number: listenerCount)
            model.listen(listener)
            let load = watch.thing()
            let registration = Callbacks<PipelineEnd>.Registration(kind) { _ in
                withExtendedLifetime(load) {}
            }
            listeners[held.machine.add(registration, &turn)] = listener
        }

        private mutating func stopListening(_ random: inout StableRandom) {
            let meant = Set(
                listeners.keys.sorted().filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
            let who = meant.compactMap { listeners[$0] }
            held.machine.remove(calendar, &turn) { meant.contains($0.number) }
            model.stopListening { who.contains($0) }
        }

        private var finding: OutputFinding {
            OutputFinding(version: held.machine.line.version, fault: model.lacksOutput ? error : nil)
        }

        private mutating func fire(_ timer: AttemptTimer) {
            turn.withdraw(timer)
            held.machine.timerFired(timer, &turn)
            switch timer {
            case .grace: model.graceIsOver()
            case .backOff: model.backOffIsOver()
            case .deadline:
                let error = error
                held.machine.deadlinePassed(error, &turn)
                model.deadlinePassed()
            case .timeout: timeIsOver = true
            case .delay, .watchdog: break
            }
        }

        /// Does what was decided, as far as it is told to steps and callbacks.
        mutating func carryOut() {
            for effect in turn.takeWork().orders { deliver(effect) }
            while let news = turn.nextNews() { deliver(news) }
        }

        private mutating func deliver(_ effect: PipelineEffect) {
            guard case .deliver(let delivery, _) = effect.kind else { return }
            while let callback = held.machine.claim(delivery.number) {
                if let listener = listeners[callback.number] { reported.append(listener) }
            }
        }

        private static let load = ContentKey<LockWatch.Thing>("load")

        private var bag: Content {
            var bag = Content()
            bag[Self.load] = watch.thing()
            return bag
        }

        private var error: PipelineError {
            var error = PipelineError.refused(.timedOut, pipeline: "m")
            error.underlying = watch.thing()
            return error
        }

        private func verdict(_ verdict: PipelineModel.Verdict) -> AttemptVerdict {
            let error = error
            return switch verdict {
            case .success: .succeeded(bag)
            case .cancelled: .cancelled(nil)
            case .failure: .failed(error, cause: error, leaving: bag, retryAfter: nil)
            case .failureToRetry: .failed(error, cause: error, leaving: nil, retryAfter: .seconds(1))
            }
        }

        /// Where the machine stands, in the model's words.
        var place: PipelineModel.At {
            switch held.machine.state {
            case .ready: return .ready
            case .ended(.success): return .ended("succeeded")
            case .ended(.failure): return .ended("failed")
            case .ended(.cancelled): return .ended("cancelled")
            case .running, .cancelling: break
            }
            if held.machine.status.life.waitsForOthers { return .others }
            return switch held.machine.status.life.phase {
            case .running: .body
            case .stopping: .oldBody
            case .backingOff: .backOff
            case .queued, .waiting, .ended: .queued
            }
        }

        func compare(_ eventLog: String) {
            #expect(place == model.at, "\(eventLog)")
            let line = model.line.map { ObjectIdentifier(steps[$0]) }
            #expect(held.machine.line.steps.map { ObjectIdentifier($0) } == line, "\(eventLog)")
            if model.isRunning {
                #expect(held.machine.line.dispatched == model.dispatched, "\(eventLog)")
                #expect(Int(held.machine.status.life.attemptNumber) == model.attempt, "\(eventLog)")
                #expect(turn.isSet(.grace) == model.hasGrace, "\(eventLog)")
                #expect(turn.isSet(.backOff) == (model.at == .backOff), "\(eventLog)")
                #expect(turn.isSet(.timeout) == (model.at == .body && !timeIsOver), "\(eventLog)")
                #expect(model.line.prefix(model.place).allSatisfy { steps[$0].isFinished }, "\(eventLog)")
                #expect(!model.line[model.place...].contains { steps[$0].isFinished }, "\(eventLog)")
            }
            #expect(reported == model.reported, "\(eventLog)")
            let registered = held.machine.registered.compactMap { listeners[$0.number] }
            #expect(registered == model.listeners, "\(eventLog)")
            #expect(watch.lost == 0, "freed under the lock: \(eventLog)")
            guard case .ended(let word) = model.at else { return }
            #expect(turn.timers.keys.isEmpty, "\(eventLog)")
            #expect(model.line.allSatisfy { steps[$0].isFinished }, "\(eventLog)")
            #expect(word != "succeeded" || !cancelCameFirst, "\(eventLog)")
        }
    }

    @Test func `under messages in every order it does what a slow and obvious model does`() throws {
        let seed = Chance.seed
        var random = StableRandom(seed: seed)
        var ends: [String: Int] = [:]
        for round in 0..<Chance.rounds(800) {
            var pair = try Pair(steps: Int.random(in: 1...4, using: &random), lacksOutput: round % 4 == 0)
            var messages: [Int] = []
            for _ in 0..<40 {
                // Those that end everything are rare.
                let message = Int.random(in: 0..<58, using: &random)
                messages.append(
                    message < 36 ? message % 9 : message < 40 ? 10 + message % 2 : 12 + message % 7)
                pair.perform(messages.last ?? 0, &random)
                pair.carryOut()
                pair.compare("seed \(seed), round \(round), messages \(messages)")
                // Whatever comes behind the end changes nothing, of which a little is enough.
                if pair.model.isEnded, random.chance(1, in: 5) { break }
            }
            if case .ended(let word) = pair.model.at { ends[word, default: 0] += 1 }
        }
        #expect(Set(ends.keys) == ["succeeded", "failed", "cancelled"])
    }

    @Test("PL-27: the check of other steps isn't taken for that of the last step")
    func staleFinding() throws {
        var random = StableRandom(seed: 1)
        var pair = try Pair(steps: 1, lacksOutput: false)
        pair.perform(0, &random)
        pair.perform(1, &random)
        let verdict = AttemptVerdict.succeeded(Content())
        let stale = OutputFinding(version: pair.held.machine.line.version &+ 1, fault: nil)
        let step = pair.steps[0]
        #expect(
            pair.held.machine.bodyEnded(step, attempt: 1, verdict, stale, at: .callersStack, &pair.turn)
                == nil)
        #expect(pair.held.machine.isRunning && !step.isFinished)
        let fresh = OutputFinding(version: pair.held.machine.line.version, fault: nil)
        #expect(
            pair.held.machine.bodyEnded(step, attempt: 1, verdict, fresh, at: .callersStack, &pair.turn)
                != nil)
        #expect(pair.held.machine.outcome?.isSuccess == true)
    }
}
