import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineCommand

@Suite("Readers of events", .timeLimit(.minutes(5)))
struct RunFollowersTests {
    @Test("one that is over is kept no longer, and those that read are told to end")
    func kept() async {
        let readers = RunFollowers()
        var begun: [Task<Void, Never>] = []
        for _ in 0..<1000 { begun.append(readers.begin {}) }
        for reader in begun { await reader.value }
        #expect(readers.count == 0)
        let told = Recorder<Int>()
        let (stream, source) = AsyncStream<Int>.makeStream()
        _ = readers.begin { for await number in stream { told.record(number) } }
        #expect(readers.count == 1)
        source.yield(1)
        await told.waitForCount(1)
        await readers.finish()
        #expect(readers.count == 0 && told.values == [1])
    }
}
