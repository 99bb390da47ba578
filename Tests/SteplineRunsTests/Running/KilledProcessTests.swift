import Foundation
import SteplineRuns
import SteplineRunsTesting
import Testing

@Suite("Processes that are killed", .timeLimit(.minutes(5)))
struct KilledProcessTests {
    private static let seeds: ClosedRange<UInt64> =
        1...(ProcessInfo.processInfo.environment["STEPLINE_STRESS_ROUNDS"].flatMap(UInt64.init) ?? 1)

    @Test(
        "DR-13, DR-71: killed with -9 at any write, before and after it is kept, a run goes on",
        arguments: seeds)
    func everyWrite(_ seed: UInt64) async throws {
        let folder = try TestFolder()
        let plain = try await KilledProgram.run([folder.path("plain.runs"), "\(seed)"])
        let expected = Set(plain.lines.filter { $0.hasPrefix("state ") && !$0.contains("[k") })
        #expect(!plain.wasKilled && expected.count > 20, "seed \(seed)")
        var number = 1
        var kills = 0
        while number < 200 {
            var wasKilled = false
            for side in ["before", "after"] {
                let file = folder.path("\(number)\(side).runs")
                let first = try await KilledProgram.run([file, "\(seed)", side, "\(number)"])
                wasKilled = wasKilled || first.wasKilled
                kills += first.wasKilled ? 1 : 0
                let second = try await KilledProgram.run([file, "\(seed)"])
                let states = Set(second.lines.filter { $0.hasPrefix("state ") && !$0.contains("[k") })
                #expect(
                    states == expected,
                    "seed \(seed), killed \(side) write \(number): \(states.symmetricDifference(expected))")
            }
            if !wasKilled { break }
            number += 1
        }
        #expect(kills > 4, "seed \(seed)")
    }

    @Test("DR-14: a body that ends its process each time fails after some of them, and the others are done")
    func deadly() async throws {
        let folder = try TestFolder()
        let file = folder.path("fatal.runs")
        var deaths = 0
        while deaths < 6 {
            let result = try await KilledProgram.run([file, "abort"])
            guard result.wasKilled else {
                #expect(result.lines.joined().contains("its process has ended 3 times"), "\(result.lines)")
                break
            }
            deaths += 1
        }
        #expect((3...4).contains(deaths))
        let store: any RunStore = try .file(file)
        let steps = try store.stepsByName(of: RunID("fatal", key: "k"))
        #expect(steps["deadly"]?.state == .failed && steps["deadly"]?.failure?.code == "interruptedTooOften")
        #expect(steps["harmless"]?.state == .finished)
    }
}
