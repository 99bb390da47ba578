import Foundation
import SteplineRequests
import SteplineSupport
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The transport over URLSession", .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    let server: LoopbackServer
    let transport = URLSessionTransport(configuration: .ephemeral)
    let ended = Recorder<(any Error)?>()

    init() throws { server = try LoopbackServer() }

    private func send(
        _ path: String, _ receive: @escaping @Sendable (TransportEvent) -> Void = { _ in }
    ) -> Subscription {
        transport.send(URLRequest(url: server.url(path)), body: .none) { [ended] event in
            receive(event)
            if case .ended(let error) = event { ended.record(error) }
        }
    }

    @Test("PL-82: sending and cancelling don't wait for another body that is held back")
    func sendingBesideHeld() async throws {
        server.route("/held", .pattern(count: 100_000))
        server.route("/next", .text("next"))
        let (isHeld, gate) = (Gate(), Gate())
        defer { gate.open() }
        let held = send("/held") { event in
            guard case .bytes = event else { return }
            isHeld.open()
            gate.block()
        }
        let sent = Recorder<Subscription>(), endedBefore = Recorder<Int>()
        // On a thread of its own. What is held is every session of the process, and with it whoever asks one for a
        // task: by other tests that may be all threads that an `await` could go on on.
        Thread.detachNewThread { [self] in
            isHeld.block()
            // Each of these would wait for ever, if it waited.
            sent.record(send("/next"))
            send("/next").cancel()
            endedBefore.record(ended.count)
            gate.open()
        }
        await ended.waitForCount(2)
        #expect(endedBefore.values == [0])
        #expect(ended.values.allSatisfy { $0 == nil })
        _ = (held, sent)
    }
}
