import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("The gate of a crawl", .timeLimit(.minutes(1)))
struct CrawlGateTests {
    private struct Broken: Error {}

    @Test("the late event of a failed attempt doesn't take out the attempt that follows")
    func lateEvent() async throws {
        let (gate, held) = (CrawlGate(clock: ManualClock()), Gate())
        let (begun, stops) = (Recorder<Int>(), Recorder<Void>())
        let workflow = Workflow()
        let pages = try workflow.grow(
            "page", from: ["a"], key: { $0 },
            options: TaskOptions(retry: .constant(attempts: 2, delay: .zero) { _ in true })
        ) { page, _ in
            try await gate.enter("page[\(page)]")
            begun.record(begun.count + 1)
            if begun.count == 1 { throw Broken() }
            await held.wait()
        }
        let elements = try #require(pages.task as? SubworkflowTask).subworkflow
        let events = elements.events
        try workflow.start()
        await begun.waitForCount(2)
        for await event in events {
            gate.note(event)
            if case .attemptFailed = event.kind {
                gate.close { stops.record(()) }
                #expect(stops.count == 0)
                held.open()
            }
            if case .settled = event.kind { break }
        }
        try await workflow.run()
        #expect(stops.count == 1 && begun.values == [1, 2])
    }
}
