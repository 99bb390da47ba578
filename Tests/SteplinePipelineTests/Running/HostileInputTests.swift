import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

/// Settings that no caller should use, but some will: none may trap or hang.
@Suite("Hostile settings", .timeLimit(.minutes(5)))
struct HostileInputTests {
    @Test(
        "PL-34, PL-67: weights that are no numbers don't reach a trap, and success is complete",
        arguments: [.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1, 0] as [Double])
    func weights(weight: Double) async throws {
        let pipeline = try makePipeline([
            plain().weight(weight), plain().weight(weight), plain().weight(1),
        ])
        let progress = pipeline.progress
        try await pipeline.run()
        #expect(progress.fractionCompleted == 1)
    }

    @Test(
        "PL-34, PL-65: a fraction that is no number is told as unknown, one out of bounds as the bound",
        arguments: [(.nan, nil), (.infinity, nil), (-.infinity, nil), (-1, 0), (7, 1)] as [(Double, Double?)])
    func fractions(reported: Double, expected: Double?) async throws {
        let step = BlockStep<Void, Void>(to: .nothing) { (_: Void, context: StepContext) throws in
            context.report(fraction: reported)
        }
        let pipeline = try makePipeline([step])
        let progress = pipeline.progress
        let events = pipeline.events
        try pipeline.start()
        for await event in events {
            guard case .progressed(_, let fraction, _, _) = event.kind else { continue }
            #expect(fraction == expected)
        }
        #expect(progress.fractionCompleted == 1)
    }

    @Test("PL-34: an infinite time-out never expires, on any clock")
    func forever() async throws {
        let ages: [Duration] = [
            .seconds(Int64.max), .nanoseconds(Int64.max), .seconds(1e19), .seconds(10_000_000_000),
        ]
        for age in ages {
            for clock in [SystemClock.shared, ManualClock()] as [any StepClock] {
                let options = PipelineOptions(deadline: age, grace: age, watchdog: age, clock: clock)
                let pipeline = try makePipeline([plain().timeout(age)], options: options)
                let events = pipeline.events
                try await pipeline.run()
                for await _ in events {}
                #expect(pipeline.stateWord == "succeeded")
            }
        }
    }

    @Test(
        "PL-10: a watchdog without time never checks, and doesn't spin",
        arguments: [Duration.zero, .seconds(-1)])
    func watchdog(time: Duration) async throws {
        let clock = ManualClock()
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)], options: .init(watchdog: time, clock: clock))
        let events = pipeline.events
        try pipeline.start()
        await gate.waitForArrivals()
        _ = pipeline.events
        #expect(clock.scheduledCount == 0)
        gate.open()
        var stalled = 0
        for await event in events {
            if case .stalled = event.kind { stalled += 1 }
        }
        #expect(stalled == 0)
    }

    private struct Curious: LocalizedError {
        let ask: @Sendable () -> Void
        var errorDescription: String? {
            ask()
            return "curious"
        }
    }

    @Test("PL-44: an error that asks the pipeline while it describes itself doesn't meet a lock")
    func curiousError() async throws {
        let pipeline = Pipeline(options: .init(retry: .constant(attempts: 2, delay: .zero) { _ in true }))
        try pipeline.addStep(plain { throw Curious { [weak pipeline] in _ = pipeline?.state } })
        let events = pipeline.events
        try pipeline.start()
        var texts: [String] = []
        for await event in events {
            if case .stepEnded(_, _, .failed(let text), _) = event.kind { texts.append(text) }
        }
        #expect(texts == ["curious"])
        #expect(
            await pipeline.outcome().failure?.description.hasSuffix("failed after 2 attempts: curious")
                == true)
    }

    private struct Worded: LocalizedError {
        let errorDescription: String?
    }

    @Test("PL-33: the text is one line whatever the names are, and the cause's words stay as they are")
    func oneLine() async throws {
        let pipeline = try makePipeline(
            [plain("two\nlines") { throw Worded(errorDescription: "login: failed\r\nfor good") }],
            name: "a\nb")
        try pipeline.start()
        let text = await pipeline.outcome().failure?.description ?? ""
        #expect(text == "a b: step 1 of 1 \"two lines\" failed: login: failed for good")
    }

    @Test("PL-34: the text of a connection's error doesn't tell the URL, which may hold a password or token")
    func secrets() async throws {
        let url = "https://user:hunter2@example.org/?token=sesame"
        let cause = URLError(
            .timedOut,
            userInfo: [
                "NSErrorFailingURLStringKey": url, NSURLErrorFailingURLErrorKey: URL(string: url) as Any,
                NSUnderlyingErrorKey: NSError(
                    domain: "d", code: 1, userInfo: ["NSErrorFailingURLStringKey": url]),
            ])
        let pipeline = try makePipeline([plain { throw cause }])
        try pipeline.start()
        let error = await pipeline.outcome().failure
        let text = error?.description ?? "hunter2"
        #expect(!text.contains("hunter2") && !text.contains("sesame"), "\(text)")
        #expect(text.contains("-1001"))
        #expect(error?.underlying(as: URLError.self)?.code == .timedOut)
    }
}
