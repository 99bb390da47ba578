import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

/// Bodies that hold their thread.
@Suite("Steps that block", .timeLimit(.minutes(5)))
struct BlockingTests {
    @Test func `a short pipeline ends while 64 others block`() async throws {
        let gate = Gate()
        let blocking = try (0..<64).map { _ in try makePipeline([plain { gate.block() }]) }
        for pipeline in blocking { try pipeline.start() }
        try await makePipeline((0..<10).map { _ in plain() }).run()
        #expect(blocking.allSatisfy { !$0.isFinished })
        gate.open()
        for pipeline in blocking { #expect(await pipeline.outcome().word == "succeeded") }
    }

    @Test func `64 that all wait for each other end`() async throws {
        let gate = Gate()
        let arrived = Locked(0)
        let pipelines = try (0..<64).map { _ in
            try makePipeline([
                plain {
                    let count = arrived.withLock { count in
                        count += 1
                        return count
                    }
                    if count == 64 { gate.open() }
                    gate.block()
                }
            ])
        }
        for pipeline in pipelines { try pipeline.start() }
        for pipeline in pipelines { #expect(await pipeline.outcome().word == "succeeded") }
    }

    @Test func `pipelines that are run by blocking steps end at depth 100`() async throws {
        let deepest = Recorder<Int>()
        try await nested(100, deepest).run()
        #expect(deepest.values == [100])
    }

    private func nested(_ left: Int, _ deepest: Recorder<Int>) throws -> Pipeline<Content> {
        try makePipeline([
            plain {
                guard left > 1 else { return deepest.record(100) }
                let inner = try nested(left - 1, deepest)
                let isOver = DispatchSemaphore(value: 0)
                inner.onEnd { _ in isOver.signal() }
                try inner.start()
                isOver.wait()
            }
        ])
    }
}
