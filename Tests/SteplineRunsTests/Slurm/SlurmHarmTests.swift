import Foundation
import SteplineSupport
import SteplineTesting
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Each with a cluster that nobody else relies on.
@Suite(.timeLimit(.minutes(5)), .soakOnly, .enabled(if: TestCluster.isNeeded, "\(TestCluster.absence)"))
struct SlurmHarmTests {
    @Test func `DR-52: a controller that is killed and comes back changes nothing for workers`() async throws
    {
        let cluster = try await TestCluster()
        defer { cluster.stop() }
        let workers = try TestWorkers(in: cluster)
        // A node has sixteen processors, and so room for one.
        let slurm = try workers.slurm(options: ["--cpus-per-task=9"])
        _ = try await slurm.start(3)
        let nodes = await workers.notes(3).map { $0.split(separator: " ")[3] }
        #expect(nodes.sorted() == ["n1", "n2", "n3"])
        try await cluster.killController(knowing: slurm.name)
        let error = await #expect(throws: SlurmError.self) { _ = try await slurm.tally() }
        #expect(error?.code == .unreachable)
        await #expect(throws: SlurmError.self) { _ = try await slurm.start(1) }
        try await cluster.startController()
        #expect(try await slurm.tally() == WorkerTally(running: 3))
        #expect(workers.notes.count == 3)
        try await slurm.cancel()
        #expect(Set(await workers.notes(6).suffix(3)) == ["told 1", "told 2", "told 3"])
    }

    @Test
    func `DR-51, DR-52: workers of a node that is lost, or who make room for another's job, join again`()
        async throws
    {
        let cluster = try await TestCluster()
        defer { cluster.stop() }
        async let lost: Void = loseNode(of: cluster)
        async let preempted: Void = preempt(in: cluster)
        _ = try await (lost, preempted)
    }

    private func loseNode(of cluster: TestCluster) async throws {
        let workers = try TestWorkers(in: cluster)
        let slurm = try workers.slurm(options: ["--partition=pair"])
        _ = try await slurm.start(1)
        let node = String(try #require(await workers.notes(1).first).split(separator: " ")[3])
        try await cluster.killNode(node)
        // The first attempt runs on, and nobody tells it.
        let again = await workers.notes(2).last
        #expect(again == "begun 1 1 \(node == "n1" ? "n2" : "n1") a-secret ")
        #expect(try await slurm.tally() == WorkerTally(running: 1))
    }

    private func preempt(in cluster: TestCluster) async throws {
        let workers = try TestWorkers(in: cluster)
        let slurm = try workers.slurm(options: ["--nodelist=n3"])
        _ = try await slurm.start(1)
        _ = await workers.notes(1)
        try await cluster.call("sbatch", "--partition=urgent", "--exclusive", "--wrap=true")
        let notes = await workers.notes(3)
        #expect(notes == ["begun 1 0 n3 a-secret ", "told 1", "begun 1 1 n3 a-secret "])
    }

    @Test
    func
        `DR-52: a controller that has lost its jobs has workers started anew, and no job of another is touched`()
        async throws
    {
        let cluster = try await TestCluster()
        defer { cluster.stop() }
        let workers = try TestWorkers(in: cluster)
        let slurm = try workers.slurm()
        _ = try await slurm.start(2)
        _ = await workers.notes(2)
        try await cluster.killController(knowing: slurm.name)
        try await cluster.startController(forgetful: true)
        #expect(try await slurm.tally() == WorkerTally())
        // Slurm counts from 1 again, so that another job has the number of a worker's job.
        let other = try TestWorkers(in: cluster)
        let others = try other.slurm()
        _ = try await others.start(1)
        _ = await other.notes(1)
        let said = Recorder<String>()
        let keeper = WorkerKeeper(slurm, bounds: 2...2, slots: 1, clock: .system) { said.record($0) }
        let keeping = Task {
            try await keeper.keep { WorkerDemand(ready: 9, running: 0, ended: 0, alive: 0) }
        }
        let begun = await workers.notes(4)
        #expect(Set(begun.suffix(2).map { $0.prefix(9) }) == ["begun 1 0", "begun 2 0"])
        await said.waitForCount(1)
        #expect(said.values.first?.hasPrefix("started 2 workers as Slurm's jobs ") == true)
        keeping.cancel()
        await #expect(throws: CancellationError.self) { try await keeping.value }
        try await slurm.cancel()
        #expect(try await others.tally() == WorkerTally(running: 1))
    }
}
