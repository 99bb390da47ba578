import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes down what it is told.
private struct Notes: URLTaskMonitor {
    let queue = DispatchQueue(label: "notes")
    let lines = Recorder<String>()
    static let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: Self.key, value: true) }

    private func note(_ line: String) {
        lines.record(DispatchQueue.getSpecific(key: Self.key) == true ? line : "on another queue: \(line)")
    }

    func adapted(_ request: URLRequest, of handle: AnyTaskHandle) {
        note("adapted \(request.value(forHTTPHeaderField: "X") ?? "")")
    }
    func began(_ request: URLRequest, attempt: Int, of handle: AnyTaskHandle) { note("began \(attempt)") }
    func response(_ response: URLResponse, of handle: AnyTaskHandle) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }
    func redirected(to request: URLRequest, by response: URLResponse, of handle: AnyTaskHandle) {
        note("redirected \(request.url?.path() ?? "")")
    }
    func finished(_ outcome: Outcome<URLReply>, metrics: URLTaskMetrics, of handle: AnyTaskHandle) {
        note("finished \(metrics.attempts) \(metrics.redirects) \(metrics.bytesReceived) \(metrics.duration)")
    }
    func retried(attempt: Int, of handle: AnyTaskHandle) { note("retried \(attempt)") }
    func refreshed(by authenticator: String) { note("refreshed \(authenticator)") }
}

private struct Quiet: URLTaskMonitor {}

/// Cancels a request whenever it is asked for its queue.
private struct Meddling: URLTaskMonitor {
    let handle = Locked<AnyTaskHandle?>(nil)
    let own = DispatchQueue(label: "meddling")

    var queue: DispatchQueue {
        handle.withLock { $0 }?.cancel()
        return own
    }
}

@Suite("Monitors", .timeLimit(.minutes(5)))
struct MonitorTests {
    @Test("MG-78: all that happens to a request is told in order, on the queue that the monitor names")
    func order() async throws {
        let transport = TransportDouble(), clock = ManualClock(), notes = Notes()
        transport.on("GET", "https://example.com/a", .status(503), .redirect(to: "/b"))
        transport.on("GET", "https://example.com/b", .text("hello"))
        let urls = URLTaskManager(
            interceptors: [.adapting { $0.setValue("1", forHTTPHeaderField: "X") }],
            reactors: [.retrying(jitter: .none)], transport: transport,
            options: managerOptions(clock) { $0.monitors = [notes, Quiet()] })
        let handle = urls.add(try request("https://example.com/a"))
        // Exactly the backoff, so that no time passes in the second attempt.
        await clock.waitForScheduled(after: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        let reply = try await handle.value
        #expect(reply.metrics.attempts == 2 && reply.metrics.redirects == 1)
        await notes.lines.waitForCount(10)
        #expect(
            notes.lines.values == [
                "adapted 1", "began 1", "response 503", "retried 2", "adapted 1", "began 2", "response 302",
                "redirected /b", "response 200", "finished 2 1 5 0.0 seconds",
            ])
    }

    @Test("MG-78: a refresh is told, and a cancellation; nothing comes behind the end")
    func refreshAndCancel() async throws {
        let transport = TransportDouble(), notes = Notes()
        guarding(transport, "new")
        transport.on("GET", "https://example.com/silent", .silence)
        let login = bearer("old") { _ in "new" }
        let urls = URLTaskManager(
            interceptors: [login], reactors: [login], transport: transport,
            options: managerOptions { $0.monitors = [notes] })
        _ = try await urls.data(for: request("https://api.example.com/"))
        await notes.lines.waitForCount(8)
        #expect(notes.lines.values[3] == "refreshed login")
        let silent = urls.add(try request("https://example.com/silent"))
        await transport.waitForRequests(3)
        silent.cancel()
        await notes.lines.waitForCount(12)
        #expect(notes.lines.values.contains { $0.hasPrefix("finished 1 0 0") })
    }

    @Test("MG-78, MG-91: a monitor is asked for its queue under no lock, and once for a request")
    func queueIsAsked() async throws {
        let transport = FakeTransport(), monitor = Meddling()
        let urls = URLTaskManager(
            transport: transport, options: managerOptions { $0.monitors = [monitor] })
        let handle = urls.add(try request("https://example.com/a"))
        let exchange = await transport.exchange(1)
        monitor.handle.withLock { $0 = handle.erased }
        exchange.respond(200, [:], "hello")
        #expect(await handle.outcome().isSuccess)
        monitor.handle.withLock { $0 = nil }
    }
}
