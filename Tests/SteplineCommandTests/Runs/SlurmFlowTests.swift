import Foundation
import SteplineRuns
import SteplineTesting
import TestServers
import TestSupport
import Testing

/// Runs of flows whose workers Slurm starts.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"),
    .enabled(if: TestCluster.isNeeded, "\(TestCluster.absence)"))
struct SlurmFlowTests {
    private let comment = "flow-\(UUID().uuidString.prefix(8))"

    @Test("DR-48, DR-50: workers under Slurm share a flow's run, which ends as on one machine, and leave")
    func shared() async throws {
        let cluster = try await TestCluster.shared()
        // Each has one slot: so both have a page at the same time.
        let shared = try await SharedFlow(openingAt: 2)
        let ran = try await shared.run(in: cluster, workers: "2..3", comment: comment).result()
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(ran.errors.contains("started 2 workers as Slurm's jobs "), "\(ran.errors)")
        #expect(Set(try shared.steps().values.compactMap(\.worker)).count >= 2)
        try await cluster.waitUntilGone(comment)
        try await shared.expectTheSame()
    }

    @Test("DR-51: SIGINT cancels a flow's run under Slurm, and its array", .soakOnly)
    func interrupted() async throws {
        let cluster = try await TestCluster.shared()
        let shared = try await SharedFlow()
        let run = try shared.run(in: cluster, workers: "2", comment: comment)
        await shared.asked.waitForCount(2)
        run.signal(SIGINT)
        let ran = await run.result()
        #expect(ran.status == 128 + SIGINT, "\(ran.errors)")
        try await cluster.waitUntilGone(comment)
    }

    @Test(
        "DR-50: invalid options are refused before anything is kept",
        arguments: [
            (["--on", "slurm"], "--workers is missing"),
            (["--on", "slurm", "--workers", "3..2"], "--workers expects"),
            (["--on", "workers", "--workers", "2"], "--workers requires --on slurm"),
            (["--workers", "2"], "--workers requires --on slurm"),
            (["--on", "workers", "--sbatch=-p long"], "require --on slurm"),
            (["--on", "slurm", "--workers", "2", "--sbatch=--array=1-9"], "--array can't be passed"),
        ])
    func refused(words: [String], refusal: String) async throws {
        let shared = try await SharedFlow()
        let ran = try await Command.run(
            ["run", "flow.json5", "--store", shared.store] + words, in: shared.flow.folder.url)
        #expect(ran.status == 2 && ran.errors.contains(refusal), "\(ran.errors)")
        #expect(try shared.steps().isEmpty)
    }
}
