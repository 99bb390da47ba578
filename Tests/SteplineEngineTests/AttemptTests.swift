import SteplineEngine
import SteplineSupport
import TestSupport
import Testing

/// An attempt, told slowly: every fact a variable of its own, and what follows computed anew each time.
private struct SlowAttempt {
    var number: UInt32 = 0
    var failures = 0
    var isQueued = false
    var isBackingOff = false
    var hasEnded = false
    /// The live body: whether its outcome is open, whether its call has returned, whether its end was reported.
    var body: (isOpen: Bool, hasReturned: Bool, hasReported: Bool)?
    var wantsQueue = false
    var wantsBackOff = false

    mutating func enqueue() -> Bool {
        if isQueued || body?.isOpen == true { return false }
        if body != nil {
            wantsQueue = true
            wantsBackOff = false
            return false
        }
        (isQueued, isBackingOff, hasEnded) = (true, false, false)
        return true
    }

    mutating func begin() -> UInt32? {
        guard isQueued else { return nil }
        isQueued = false
        number += 1
        body = (true, false, false)
        return number
    }

    mutating func end(_ attempt: UInt32, _ outcome: Attempt.Outcome, by source: Attempt.Source) -> Attempt
        .Step?
    {
        guard attempt == number, body?.isOpen == true else { return nil }
        body?.isOpen = false
        if outcome != .success { failures += 1 }
        wantsBackOff = outcome == .failureToRetry
        wantsQueue = false
        if source == .body { body?.hasReported = true }
        return settle()
    }

    mutating func bodyReturned(_ attempt: UInt32, isOver: Bool) -> Attempt.Step {
        guard attempt == number, let now = body else { return .nothing }
        if isOver, now.isOpen { return .nothing }
        body?.hasReturned = true
        if isOver || (now.hasReturned && !now.isOpen) { body?.hasReported = true }
        return settle()
    }

    mutating func bodySucceeded(_ attempt: UInt32) -> Bool {
        guard attempt == number, body?.isOpen == true, body?.hasReturned == false else { return false }
        _ = end(attempt, .success, by: .body)
        return bodyReturned(attempt, isOver: true) == .over
    }

    mutating func bodyReported(_ attempt: UInt32) -> Attempt.Step {
        guard attempt == number, body?.isOpen == false else { return .nothing }
        body?.hasReported = true
        return settle()
    }

    mutating func giveUpBody(_ attempt: UInt32) -> Attempt.Step {
        guard attempt == number, body?.isOpen == false else { return .nothing }
        body?.hasReported = true
        body?.hasReturned = true
        return settle()
    }

    private mutating func settle() -> Attempt.Step {
        guard let now = body, !now.isOpen, now.hasReturned, now.hasReported else { return .nothing }
        body = nil
        defer { (wantsQueue, wantsBackOff) = (false, false) }
        isQueued = wantsQueue
        isBackingOff = wantsBackOff
        hasEnded = !wantsQueue && !wantsBackOff
        return wantsQueue ? .queue : wantsBackOff ? .backOff : .over
    }

    mutating func stop() -> Attempt.Stopped {
        defer { (wantsQueue, wantsBackOff) = (false, false) }
        if body?.isOpen == true {
            body?.isOpen = false
            return .running(number)
        }
        if body != nil { return .stopping }
        defer { (isQueued, isBackingOff, hasEnded) = (false, false, true) }
        return isQueued ? .queued : isBackingOff ? .backingOff : .nothing
    }

    mutating func renew() {
        failures = 0
        hasEnded = false
    }

    /// Where the attempt must stand.
    var phase: Attempt.Phase {
        if let body {
            let part: Attempt.Body = body.hasReported ? .reported : body.hasReturned ? .returned : .open
            let next: Attempt.Next = wantsQueue ? .queue : wantsBackOff ? .backOff : .nothing
            return body.isOpen ? .running(part) : .stopping(part, then: next)
        }
        return isQueued ? .queued : isBackingOff ? .backingOff : hasEnded ? .ended : .waiting
    }
}

@Suite(.timeLimit(.minutes(5)))
struct AttemptTests {
    @Test func `random messages, stale ones included, leave an attempt in the phase of a slow model`() {
        for round in 0..<Chance.rounds(200) {
            guard isAsModel(seed: Chance.seed &+ UInt64(round)) else { return }
        }
    }

    private func isAsModel(seed: UInt64) -> Bool {
        var random = StableRandom(seed: seed)
        var attempt = Attempt()
        var model = SlowAttempt()
        var eventLog: [String] = []
        for _ in 0..<400 {
            let number = UInt32.random(in: 0..<2, using: &random) == 0 ? attempt.number : attempt.number &- 1
            let outcomes: [Attempt.Outcome] = [.success, .failure, .failureToRetry]
            let outcome = outcomes[Int.random(in: 0..<3, using: &random)]
            let sources: [Attempt.Source] = [.body, .outside, .part]
            let source = sources[Int.random(in: 0..<3, using: &random)]
            let isOver = Bool.random(using: &random)
            let (got, missing): (String, String)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: (got, missing) = ("enqueue \(attempt.enqueue())", "enqueue \(model.enqueue())")
            case 1, 2:
                (got, missing) = (
                    "begin \(attempt.begin(), default: "-")", "begin \(model.begin(), default: "-")"
                )
            case 3, 4:
                (got, missing) = (
                    "end \(number) \(outcome) \(source) \(attempt.end(number, outcome, by: source), default: "-")",
                    "end \(number) \(outcome) \(source) \(model.end(number, outcome, by: source), default: "-")"
                )
            case 5:
                (got, missing) = (
                    "returned \(number) \(isOver) \(attempt.bodyReturned(number, isOver: isOver))",
                    "returned \(number) \(isOver) \(model.bodyReturned(number, isOver: isOver))"
                )
            case 6:
                (got, missing) = (
                    "reported \(number) \(attempt.bodyReported(number))",
                    "reported \(number) \(model.bodyReported(number))"
                )
            case 7:
                (got, missing) = (
                    "given up \(number) \(attempt.giveUpBody(number))",
                    "given up \(number) \(model.giveUpBody(number))"
                )
            case 8:
                (got, missing) = (
                    "succeeded \(number) \(attempt.bodySucceeded(number))",
                    "succeeded \(number) \(model.bodySucceeded(number))"
                )
            default:
                if Bool.random(using: &random) {
                    (got, missing) = ("stop \(attempt.stop())", "stop \(model.stop())")
                } else {
                    attempt.renew()
                    model.renew()
                    (got, missing) = ("renew", "renew")
                }
            }
            eventLog.append(got)
            guard got == missing, attempt.phase == model.phase, attempt.number == model.number,
                Int(attempt.failures) == model.failures
            else {
                Issue.record("seed \(seed): \(eventLog.suffix(12)): \(attempt) is not \(model), \(missing)")
                return false
            }
        }
        return true
    }

    @Test func `a task's attempts take no more room than two words`() {
        #expect(MemoryLayout<Attempt>.size <= 16)
    }
}
