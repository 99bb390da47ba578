import Foundation
import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting
import SteplineWorkflow
import TestSupport
import Testing

/// Workflows whose store is damaged while nobody looks.
@Suite(.timeLimit(.minutes(5))) struct DamagedFileTests {
    private let random = RandomRun(seed: 3, count: 24)

    private func states(_ workflow: Workflow) -> [String: String] {
        RandomRun.states(workflow).filter { !$0.key.contains("[k") }
    }

    /// Leaves a run that was cut off near its end, with a page of its file overwritten.
    private func damage(_ path: String, seed: Int) async throws {
        do {
            // Closed at the end of this, so that nothing is left in the log.
            let cutting = CuttingStore(try SQLiteRunStore(path: path, durability: .normal), .before(12))
            _ = try? await random.make().run(in: cutting, key: "k")
        }
        var file = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = seed * 7 % (file.count / 4_096)
        file.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: bytes(4_096, seed: UInt8(seed)))
        try file.write(to: URL(fileURLWithPath: path))
    }

    @Test func `DR-17, DR-71: a page overwritten ends a run with the store's error, or does no harm`()
        async throws
    {
        let plain = try random.make()
        _ = await plain.outcome()
        let folder = try TestFolder()
        var refused = 0
        let seeds = 1...(Chance.isSoak ? 24 : 8)
        for seed in seeds {
            let path = folder.path("\(seed).runs")
            try await damage(path, seed: seed)
            let second = try random.make()
            do {
                try await second.run(in: SQLiteRunStore(path: path), key: "k")
            } catch let error as RunStoreError {
                #expect([.damaged, .notAStore].contains(error.code), "seed \(seed): \(error)")
                refused += 1
                continue
            } catch let error as WorkflowError {
                #expect(error.code == .tasksFailed, "seed \(seed): \(error)")
            }
            #expect(states(second) == states(plain), "seed \(seed)")
        }
        #expect(refused > 0 && refused < seeds.count, "\(refused) refused")
    }
}
