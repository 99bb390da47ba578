import SteplineRuns
import SteplineTesting
import TestServers
import Testing

/// The example on workers that somebody has started.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct SharedMirrorTests {
    @Test func `DR-41, DR-60: three work processes share a run, which ends as on one machine`() async throws {
        // Each has one slot: so all three have a page at the same time.
        let mirror = try await SharedMirror(openingAt: 3)
        let end = Gate()
        async let first = mirror.work(until: end)
        async let second = mirror.work(until: end)
        async let third = mirror.work(until: end)
        let ran = try await mirror.run(["--on", "workers"])
        end.open()
        #expect(
            ran.status == 0 && ran.text.contains("mirror/today finished: 15 steps run, 0 kept"), "\(ran.text)"
        )
        for worker in try await [first, second, third] { #expect(worker.status == 0, "\(worker.text)") }
        #expect(Set(try mirror.steps().values.compactMap(\.worker)).count == 3)
        #expect(mirror.pages.count == SharedMirror.count)
        try await mirror.expectTheSame("\(ran.text)")
    }
}
