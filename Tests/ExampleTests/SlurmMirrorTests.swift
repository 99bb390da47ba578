import Foundation
import SteplineRuns
import SteplineTesting
import TestServers
import TestSupport
import Testing

/// The example on workers that Slurm starts; what goes wrong with Slurm itself is tried in soak.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"),
    .enabled(if: TestCluster.isNeeded, "\(TestCluster.absence)"))
struct SlurmMirrorTests {
    private let comment = "mirror-\(UUID().uuidString.prefix(8))"

    @Test
    func
        `DR-50, DR-53: two to three workers under Slurm share a run, which ends as on one machine, and leave`()
        async throws
    {
        let mirror = try await SharedMirror(openingAt: 3)
        let cluster = try await TestCluster.shared()
        let ran = try await mirror.run(in: cluster, workers: "2..3", comment: comment)
        #expect(
            ran.status == 0 && ran.text.contains("mirror/today finished: 15 steps run, 0 kept"), "\(ran.text)"
        )
        #expect(ran.text.contains("started 2 workers as Slurm's jobs "), "\(ran.text)")
        #expect(Set(try mirror.steps().values.compactMap(\.worker)).count == 3)
        #expect(mirror.pages.count == SharedMirror.count)
        try await cluster.waitUntilGone(comment)
        try await mirror.expectTheSame("\(ran.text)")
    }

    @Test(.soakOnly) func `DR-51: cancelling the run from elsewhere cancels the array`() async throws {
        let mirror = try await SharedMirror()
        let cluster = try await TestCluster.shared()
        async let running = mirror.run(in: cluster, workers: "3", comment: comment)
        await mirror.pages.waitForCount(3)
        #expect(try await mirror.call(["runs", "cancel", "today"]).status == 0)
        let ran = try await running
        #expect(ran.status == 1 && ran.text.contains("mirror/today is cancelled"), "\(ran.text)")
        try await cluster.waitUntilGone(comment)
    }

    @Test(.soakOnly)
    func `DR-51, DR-52: after all workers of a run were cancelled by hand, new ones are started`()
        async throws
    {
        let mirror = try await SharedMirror(openingAt: 4)
        let cluster = try await TestCluster.shared()
        async let running = mirror.run(in: cluster, workers: "3", comment: comment)
        await mirror.pages.waitForCount(3)
        try await cluster.call("scancel", "--name=\(cluster.jobName(comment))")
        let ran = try await running
        #expect(ran.status == 0, "\(ran.text)")
        #expect(ran.text.components(separatedBy: "as Slurm's job").count > 2, "\(ran.text)")
        // A returned step counts no interruption.
        #expect(try mirror.steps().values.allSatisfy { $0.interruptions == 0 })
        try await mirror.expectTheSame("\(ran.text)")
    }

    @Test(.soakOnly, arguments: [false, true])
    func `DR-52: a run finishes although the controller is killed, with or without losing its jobs`(
        isForgetful: Bool
    ) async throws {
        let mirror = try await SharedMirror()
        let cluster = try await TestCluster()
        defer { cluster.stop() }
        async let running = mirror.run(in: cluster, workers: "3", comment: comment, isAlone: true)
        await mirror.pages.waitForCount(3)
        try await cluster.killController(knowing: cluster.jobName(comment))
        mirror.gate.open()
        await mirror.pages.waitForCount(6)
        try await cluster.startController(forgetful: isForgetful)
        let ran = try await running
        #expect(ran.status == 0, "\(ran.text)")
        try await mirror.expectTheSame("\(ran.text)")
    }

    @Test(.soakOnly) func `DR-52: a run finishes although one node is lost and one is drained`()
        async throws
    {
        let mirror = try await SharedMirror()
        let cluster = try await TestCluster()
        defer { cluster.stop() }
        async let running = mirror.run(in: cluster, workers: "2", comment: comment, isAlone: true)
        await mirror.pages.waitForCount(2)
        let nodes = try await cluster.call("squeue", "--noheader", "--array", "--format=%N")
            .split(separator: "\n").map(String.init)
        try #require(nodes.count == 2, "\(nodes)")
        try await cluster.call("scontrol", "update", "NodeName=\(nodes[1])", "State=DRAIN", "Reason=test")
        // Its steps continue, while Slurm restarts the job on the third node.
        try await cluster.killNode(nodes[0])
        await mirror.pages.waitForCount(3)
        mirror.gate.open()
        let ran = try await running
        #expect(ran.status == 0, "\(ran.text)")
        try await mirror.expectTheSame("\(ran.text)")
    }
}
