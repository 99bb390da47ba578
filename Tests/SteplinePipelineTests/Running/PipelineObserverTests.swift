import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Observing many pipelines", .timeLimit(.minutes(5)))
struct PipelineObserverTests {
    @Test("PL-63: each end is told once, though observed twice, ahead of the others, while still listed")
    func eachEnd() async throws {
        let reported = Recorder<String>()
        let box = Recorder<PipelineObserver>()
        let observer = PipelineObserver { pipeline, outcome in
            let isListed = box.values[0].pipelines.contains { $0 === pipeline }
            reported.record("\(pipeline.name) \(outcome.word) \(isListed)")
        }
        box.record(observer)
        let good = try makePipeline([plain()], name: "good")
        good.onSuccess { _ in reported.record("good's own") }
        let bad = try makePipeline([plain { throw Broken() }], name: "bad")
        let early = try makePipeline([plain()], name: "early")
        for pipeline in [good, bad, early, good] { observer.observe(pipeline) }
        #expect(observer.pipelines.map(\.name) == ["good", "bad", "early"])
        early.cancel()
        try await good.run()
        try bad.start()
        _ = await bad.outcome()
        #expect(
            reported.values
                == ["early cancelled true", "good succeeded true", "good's own", "bad failed true"])
        #expect(observer.pipelines.isEmpty)
    }

    @Test("PL-64: an observer holds its pipelines until they end, it stops, or it is released")
    func holds() throws {
        let reported = Recorder<Void>()
        var observer: PipelineObserver? = PipelineObserver { _, _ in reported.record(()) }
        weak var first: Pipeline<Content>?
        weak var second: Pipeline<Content>?
        do {
            let (one, two) = (try makePipeline([plain()]), try makePipeline([plain()]))
            (first, second) = (one, two)
            observer?.observe(one)
            observer?.observe(two)
        }
        #expect(first != nil && second != nil)
        if let first { observer?.stopObserving(first) }
        #expect(first == nil)
        observer = nil
        #expect(second == nil)
        #expect(reported.count == 0)
    }

    @Test("PL-64: the end of an ended pipeline is reported at once; stopping an unknown one does nothing")
    func ended() async throws {
        let reported = Recorder<String>()
        let observer = PipelineObserver { reported.record($1.word) }
        let pipeline = try makePipeline([plain()])
        observer.stopObserving(pipeline)
        try await pipeline.run()
        observer.observe(pipeline)
        #expect(reported.values == ["succeeded"])
        #expect(observer.pipelines.isEmpty)
    }

    @Test("PL-64: an observer may be used from many threads at once")
    func manyThreads() async throws {
        let reported = Recorder<String>()
        let observer = PipelineObserver { pipeline, _ in reported.record(pipeline.id) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    guard let pipeline = try? makePipeline([plain()]) else { return }
                    observer.observe(pipeline)
                    try? pipeline.start()
                    _ = observer.pipelines
                    observer.observe(pipeline)
                    _ = await pipeline.outcome()
                    observer.stopObserving(pipeline)
                }
            }
        }
        #expect(observer.pipelines.isEmpty)
        #expect(Set(reported.values).count == 200)
    }
}
