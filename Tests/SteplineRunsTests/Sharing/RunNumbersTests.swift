import Foundation
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import TestServers
import Testing

@testable import SteplineRuns

/// A run's numbers of steps that have finished and failed, which its owner and its workers change.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct RunNumbersTests {
    private static let failure = StepFailure(code: "code", subject: "a", message: "why")

    @Test(arguments: [(StepChange.Kind.cleared, 1), (.cancelled(failure), 2)])
    func `DR-11, DR-41: a step that is reset while its worker hands in the result counts no longer`(
        kind: StepChange.Kind, attempt: Int
    ) async throws {
        let trial = try await ServerTrial()
        let server = try await TestServer.shared()
        // The worker's transaction stays open until the owner waits for it.
        try await server.holdUp("AFTER INSERT ON stepline.steps", when: "NEW.state = 3", in: trial.url)
        try trial.offer("a")
        let claim = try trial.claim()
        async let isTaken = Blocking.call { try trial.end(claim) }
        try await server.wait(untilLockedIn: trial.url)
        #expect(try await Blocking.call { try trial.write(kind, of: "a", attempt: attempt) })
        #expect(try await isTaken)
        try trial.run.end(.finished, at: Date())
        #expect(try trial.store.run(ServerTrial.id)?.finished == 0)
        let history = try await server.sql("SELECT name, state, attempt FROM stepline.history", in: trial.url)
        #expect(history == ["a|3|1"])
    }

    @Test
    func `DR-11, DR-41: a step that was reset before its owner has acknowledged of its end counts no longer`()
        async throws
    {
        let trial = try await ServerTrial()
        try trial.offer("a")
        try trial.end(trial.claim())
        #expect(try trial.store.run(ServerTrial.id)?.finished == 1)
        let acknowledged = try trial.run.ends(acknowledging: []).map {
            AcknowledgedEnd(id: $0.id, attempt: $0.attempt)
        }
        try trial.write(.cleared, of: "a")
        try trial.offer("a", attempt: 2)
        _ = try trial.run.ends(acknowledging: acknowledged)
        #expect(try trial.store.run(ServerTrial.id)?.finished == 0)
        try trial.run.end(.finished, at: Date())
        #expect(try trial.store.run(ServerTrial.id)?.finished == 0)
    }

    @Test func `DR-12, DR-41: a step that is run again counts once, whether it had finished or failed`()
        async throws
    {
        let trial = try await ServerTrial()
        try trial.offer("a")
        try trial.end(trial.claim())
        try trial.write(.failed(Self.failure), of: "b")
        #expect(try trial.hear().map(\.step) == ["a"])
        for step in ["a", "b"] {
            try trial.offer(step, attempt: 2)
            #expect(try trial.end(trial.claim()))
        }
        #expect(try trial.hear().map(\.attempt) == [2, 2])
        let run = try #require(try trial.store.run(ServerTrial.id))
        #expect(run.finished == 2 && run.failed == 0)
    }
}
