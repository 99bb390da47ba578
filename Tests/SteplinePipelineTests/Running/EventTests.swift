import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Events", .timeLimit(.minutes(5)))
struct EventTests {
    @Test("PL-65: one ordered stream of Codable values with number, time and pipeline id")
    func stream() async throws {
        let clock = ManualClock(start: Date(timeIntervalSinceReferenceDate: 50), runsByItself: true)
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(1), when: { _ in true })
        let step = BlockStep<Void, Void>(from: .nothing, to: .nothing) { (_: Void, context: StepContext) in
            if context.attempt == 1 { throw Broken() }
            context.report(completed: 1, of: 2)
        }.named("one")
        let pipeline = try makePipeline(
            [step], options: .init(retry: retry, watchdog: .seconds(86400), clock: clock))
        let reading = pipeline.events
        try pipeline.start()
        var events: [PipelineEvent] = []
        for await event in reading { events.append(event) }
        let words = events.map { "\($0.kind)".prefix { $0 != "(" } }
        #expect(
            words == [
                "started", "stepStarted", "retrying", "stepStarted", "progressed", "stepEnded", "ended",
            ])
        #expect(events.map(\.number) == Array(1...7))
        #expect(events.allSatisfy { $0.pipeline == pipeline.id })
        #expect(events.last?.time == Date(timeIntervalSinceReferenceDate: 51))
        let decoded = try JSONDecoder().decode([PipelineEvent].self, from: JSONEncoder().encode(events))
        #expect(decoded == events)
    }

    @Test("PL-8, PL-65: a step has ended when its end event is read, however early")
    func stepsAtTheirEnds() async throws {
        for round in 0..<500 {
            let fails = round.isMultiple(of: 2)
            let steps = [plain(), plain { if fails { throw Broken() } }]
            let pipeline = try makePipeline(steps)
            let events = pipeline.events
            try pipeline.start()
            var ended = 0
            for await event in events {
                guard case .stepEnded = event.kind else { continue }
                try #require(steps[ended].isFinished)
                ended += 1
            }
            try #require(ended == 2 && (steps[1].error != nil) == fails)
        }
    }

    @Test("PL-65: with changing readers one watchdog remains, which reports a stall once")
    func stalledForLaterReaders() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate, "slow")], options: .init(clock: clock))
        try await joinUntilStarted(pipeline)
        await gate.waitForArrivals()
        // The event has no reader.
        clock.advance(by: .seconds(60))
        let later = pipeline.events
        clock.advance(by: .seconds(60))
        gate.open()
        _ = await pipeline.outcome()
        var stalls = 0
        for await event in later { if case .stalled = event.kind { stalls += 1 } }
        #expect(stalls == 1)
    }

    /// Starts the pipeline, and reads no further than that.
    private func joinUntilStarted(_ pipeline: Pipeline<Content>) async throws {
        let events = pipeline.events
        try pipeline.start()
        for await event in events { if case .started = event.kind { break } }
    }

    @Test("PL-66: each reader gets all from where it joined; the stream finishes; who joins later gets ended")
    func readers() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate), plain()])
        let early = pipeline.events
        try pipeline.start()
        await gate.waitForArrivals()
        let middle = pipeline.events
        gate.open()
        _ = await pipeline.outcome()
        let late = pipeline.events
        func numbers(_ events: some AsyncSequence<PipelineEvent, Never>) async -> [Int] {
            var numbers: [Int] = []
            for await event in events { numbers.append(event.number) }
            return numbers
        }
        #expect(await numbers(early) == Array(1...6))
        #expect(await numbers(middle) == Array(3...6))
        #expect(await numbers(late) == [6])
    }

    @Test("PL-63, PL-66: on each queue, an observer and end callbacks come before success callbacks")
    func orderAtTheEnd() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "stepline.test.order")
        queue.setSpecific(key: key, value: true)
        let reported = Recorder<String>()
        let pipeline = try makePipeline([plain()])
        pipeline.onSuccess(on: queue) { _ in reported.record("success") }
        pipeline.onEnd(on: queue) { _ in reported.record("end") }
        let observer = PipelineObserver(on: queue) { _, _ in
            reported.record(DispatchQueue.getSpecific(key: key) == true ? "observer" : "elsewhere")
        }
        observer.observe(pipeline)
        try await pipeline.run()
        await reported.waitForCount(3)
        #expect(reported.values == ["observer", "end", "success"])
    }
}
