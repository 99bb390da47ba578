import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineManager

@Suite("The manager's machine", .timeLimit(.minutes(5)))
struct ManagerMachineTests {
    @Test func `random messages in every order lead where the model says`() async {
        let seed = Chance.seed(of: "manager machine")
        for round in 0..<min(Chance.rounds(60), 1_000) {
            // Others share the few threads that tests have.
            await Task.yield()
            var duet = Duet(seed: seed &+ UInt64(round))
            for number in 0..<150 {
                duet.step()
                guard duet.agree() else { return print("round \(round), step \(number)") }
            }
            duet.drain()
            guard duet.agree() else { return print("round \(round), at the end") }
            duet.collect()
            // Each has ended once and is told once.
            #expect(duet.told.count == duet.records.count && Set(duet.told).count == duet.told.count)
            #expect(duet.model.tasks.allSatisfy { if case .ended = $0.stage { true } else { false } })
        }
    }
}
