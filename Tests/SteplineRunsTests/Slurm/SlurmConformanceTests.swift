import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Random runs on a server whose steps are run by workers on the three nodes of a cluster.
@Suite(
    .timeLimit(.minutes(60)), .soakOnly, .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"),
    .enabled(if: TestCluster.isNeeded, "\(TestCluster.absence)"))
struct SlurmConformanceTests {
    // One after the other: a node has room for one worker.
    @Test
    func `DR-50, DR-70: a random run by workers under Slurm on three nodes ends as the plain one`()
        async throws
    {
        let cluster = try await TestCluster()
        defer { cluster.stop() }
        for seed in Chaos.seeds(most: 20) { try await compare(seed, in: cluster) }
    }

    private func compare(_ seed: UInt64, in cluster: TestCluster) async throws {
        let random = RandomRun(seed: seed, count: 30, .full)
        let plain = try random.make()
        let expected = try await RunTrace.of(plain) { _ = await plain.outcome() }
        let url = try await TestServer.shared().newDatabase()
        let store = try PostgreSQLRunStore(url)
        let id = RunID("random", key: "k")
        let slurm = try SlurmWorkers(
            of: id, store: url,
            command: [KilledProgram.program().path, url, "\(seed)", "work", "1000000", "full"],
            options: [
                "--cpus-per-task=9",
                "--output=\(cluster.folder.path(percentEncoded: false))seed-\(seed)-%a.log",
            ], variables: [:], environment: cluster.environment, clock: .system)
        _ = try await slurm.start(3)
        // Else one may have done all of it before the others are there.
        try await eventually(within: .seconds(120)) { try store.workers(of: "random").count == 3 }
        let nodes = try await cluster.call(
            "squeue", "--noheader", "--array", "--name=\(slurm.name)", "--format=%N")
        #expect(nodes.split(separator: "\n").sorted() == ["n1", "n2", "n3"])
        let workflow = try random.make()
        let found = try await RunTrace.of(workflow) {
            do {
                _ = try await workflow.run(
                    in: store, key: "k", retryingFailures: false, input: nil, on: .workers
                ) { _ in }
            } catch let error as WorkflowError where error.code == .tasksFailed {
            } catch is CancellationError {}
        }
        try await slurm.cancel()
        try Conformance.expect(found, as: expected, found.differences(in: store, id), "seed \(seed)")
        let steps = try (store as any RunStore).stepsByName(of: id)
        #expect(try store.run(id)?.finished == steps.values.count { $0.state == .finished }, "seed \(seed)")
        // No attempt ended with its worker, and it was workers that ran them.
        #expect(steps.values.allSatisfy { $0.interruptions == 0 }, "seed \(seed)")
        #expect(steps.values.contains { $0.worker != nil }, "seed \(seed)")
    }
}
