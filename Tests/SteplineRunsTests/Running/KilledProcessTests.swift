import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Processes that are killed", .timeLimit(.minutes(5)))
struct KilledProcessTests {
    @Test(
        "DR-13, DR-71: killed with -9 at any write, before and after it is kept, a run goes on",
        arguments: Chaos.seeds(most: 3))
    func everyWrite(_ seed: UInt64) async throws {
        let folder = try TestFolder()
        let plain = try await KilledProgram.run([folder.path("plain.runs"), "\(seed)"])
        let expected = Set(plain.lines.filter { $0.hasPrefix("state ") && !$0.contains("[k") })
        #expect(!plain.wasKilled && expected.count > 20, "seed \(seed)")
        var kills = 0
        for number in Chaos.writes(seed) {
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
        }
        #expect(kills > 1, "seed \(seed)")
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

    @Test("DR-14: steps that may have ended the process run one at a time once one has its last chance")
    func suspects() async throws {
        for interruptions in [0, 1] {
            let store: any RunStore = .memory()
            let owner = RunOwner(since: .now)
            let run = try store.open(RunID("suspects", key: "k"), input: nil, as: owner, at: .now)
            // With the end of this process, the first of them has ended once more.
            let begins = (0..<6).map { number in
                StepChange(
                    .began, of: "\(number)", attempt: 1, token: owner.token, at: .now,
                    interruptions: number == 0 ? interruptions : 0)
            }
            _ = try run.write(begins)
            run.close()
            let workflow = Workflow("suspects")
            let live = Locked((now: 0, most: 0))
            let allBegan = Gate()
            for number in 0..<6 {
                try workflow.add("\(number)") { () async in
                    let most = live.withLock { live in
                        live.now += 1
                        live.most = max(live.most, live.now)
                        return live.most
                    }
                    if most == 6 { allBegan.open() }
                    // Steps that may run together wait for each other. The yields give steps that must run one at a
                    // time a window in which a second one could wrongly begin.
                    if interruptions == 0 { await allBegan.wait() }
                    for _ in 0..<20 { await Task.yield() }
                    live.withLock { $0.now -= 1 }
                }
            }
            try await workflow.run(in: store, key: "k")
            #expect(live.withLock { $0.most } == (interruptions == 0 ? 6 : 1))
        }
    }
}
