import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// When an attempt may be offered that isn't the first of its step.
@Suite(.timeLimit(.minutes(5)))
struct LaterAttemptsTests {
    private static let failure = AcknowledgedEnd(id: 7, attempt: 1)

    private func offer(_ attempt: Int) -> StepOffer {
        StepOffer(
            step: "a", task: "a", version: 1, attempt: attempt, token: 1, links: 0, failures: 0,
            interruptions: 0, priority: 1, cacheKey: nil)
    }

    @Test
    func `DR-41: the first attempt is offered at once, and one of another process's step after the writer`() {
        var attempts = LaterAttempts()
        let first = attempts.add(offer(1)), none = attempts.take("a")
        #expect(first == .offer && none == nil)

        var others = LaterAttempts()
        let fourth = others.add(offer(4)), taken = others.take("a"), again = others.take("a")
        #expect(fourth == .afterWriter && taken?.attempt == 4 && again == nil)
    }

    @Test
    func
        `DR-3, DR-41: an attempt that begins before the writer is notified of the last one's end waits for that`()
    {
        var attempts = LaterAttempts()
        let turns = [attempts.add(offer(1)), attempts.add(offer(2))]
        let early = attempts.take("a")
        #expect(turns == [.offer, .waits] && early == nil)
        let notified = attempts.wasNotified("a", attempt: 1, mayComeYet: true), second = attempts.take("a")
        #expect(notified == .afterWriter && second?.attempt == 2)

        // Stopped before it was offered: the one behind it waits for word of that as well.
        let third = attempts.add(offer(3)), isWithdrawn = attempts.withdraw("a")
        let later = [attempts.wasNotified("a", attempt: 2, mayComeYet: true), attempts.add(offer(4))]
        #expect(third == .waits && isWithdrawn && later == [.waits, .waits])
        let last = attempts.wasNotified("a", attempt: 3, mayComeYet: true), fourth = attempts.take("a")
        #expect(last == .afterWriter && fourth?.attempt == 4)
    }

    @Test func `DR-41: an attempt whose end is notified before it comes holds nobody up`() {
        var attempts = LaterAttempts()
        let notified = attempts.wasNotified("a", attempt: 1, mayComeYet: true)
        let first = attempts.add(offer(1)), second = attempts.add(offer(2)), taken = attempts.take("a")
        #expect(notified == .waits && first == .offer && second == .afterWriter && taken?.attempt == 2)
    }

    @Test func `DR-41: an attempt after a failure that was addUnkept of waits until that is kept`() {
        var attempts = LaterAttempts()
        let first = attempts.add(offer(1))
        attempts.addUnkept(Self.failure, of: "a")
        #expect(first == .offer && attempts.isUnkept(Self.failure, of: "a"))
        let turns = [attempts.wasNotified("a", attempt: 1, mayComeYet: true), attempts.add(offer(2))]
        #expect(turns == [.waits, .waits])
        attempts.wasKept(Self.failure, of: "a")
        let second = attempts.take("a")
        #expect(!attempts.isUnkept(Self.failure, of: "a") && second?.attempt == 2)
    }
}
