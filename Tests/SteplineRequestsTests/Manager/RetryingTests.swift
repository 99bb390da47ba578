import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests made again", .timeLimit(.minutes(5)))
struct RetryingTests {
    let url = "https://example.com/a"

    private func manager(
        _ transport: TransportDouble, _ clock: ManualClock, methods: Set<String> = []
    ) -> URLTaskManager {
        URLTaskManager(
            reactors: [.retrying(jitter: .none, methods: methods)], transport: transport,
            options: managerOptions(clock))
    }

    @Test("MG-76 MG-93: transient failures are retried after growing waits")
    func transient() async throws {
        let transport = TransportDouble(), clock = ManualClock()
        transport.on("GET", url, .status(503), .failure(URLError(.networkConnectionLost)), .text("hello"))
        let handle = manager(transport, clock).add(try request(url))
        await eventually { handle.state == .executing(.backoff) }
        clock.advance(by: .milliseconds(499))
        #expect(transport.requests.count == 1)
        clock.advance(by: .milliseconds(1))
        await transport.waitForRequests(2)
        await eventually { handle.state == .executing(.backoff) }
        clock.advance(by: .seconds(1))
        #expect(try await handle.value.data == Data("hello".utf8))
        #expect(handle.attempt == 3)
    }

    @Test(
        "MG-76: lasting failures aren't made again; of transient ones the last error of three is delivered",
        arguments: [
            (404, 1), (401, 1), (400, 1),
            (408, 3), (425, 3), (429, 3), (500, 3), (502, 3), (503, 3), (504, 3),
        ])
    func attempts(status: Int, count: Int) async throws {
        let transport = TransportDouble(), clock = ManualClock()
        transport.on("GET", url, .status(status), .status(status), .status(502))
        let failure = await clock.pass(manager(transport, clock).add(try request(url)))
        #expect((failure as? RequestError)?.statusCode == (count == 1 ? status : 502))
        #expect(transport.requests.count == count)
    }

    @Test(
        "MG-76: methods that may have had an effect are made again only if named or keyed",
        arguments: [
            ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true),
            ("TRACE", true),
            ("POST", false), ("PATCH", false),
        ])
    func methods(method: String, isRepeated: Bool) async throws {
        let transport = TransportDouble(), clock = ManualClock()
        transport.on(method, url, .status(503), .text("ok"))
        let plain = manager(transport, clock).add(try request(url, method: method))
        #expect(await (clock.pass(plain) == nil) == isRepeated)
        guard !isRepeated else { return }
        let again = TransportDouble()
        again.on(method, url, .status(503), .text("ok"), .failure(URLError(.timedOut)), .text("ok"))
        let keyed = try request(url, method: method, ["Idempotency-Key": "1"])
        #expect(await clock.pass(manager(again, clock).add(keyed)) == nil)
        let named = manager(again, clock, methods: [method.lowercased()]).add(
            try request(url, method: method))
        #expect(await clock.pass(named) == nil)
        #expect(again.requests.count == 4)
    }

    @Test(
        "MG-76: Retry-After in seconds is the least wait; as a date, too; beyond the cap it isn't made again")
    func retryAfter() async throws {
        let transport = TransportDouble(), clock = ManualClock()
        transport.on("GET", url, .status(429).header("Retry-After", "10"), .text("hello"))
        let handle = manager(transport, clock).add(try request(url))
        await eventually { handle.state == .executing(.backoff) }
        clock.advance(by: .seconds(9.9))
        #expect(handle.state == .executing(.backoff))
        clock.advance(by: .seconds(0.2))
        #expect(try await handle.value.statusCode == 200)

        let dated = TransportDouble()
        let date = HTTPDate.text(of: clock.now.addingTimeInterval(20))
        dated.on("GET", url, .status(503).header("Retry-After", date), .text("hello"))
        let later = manager(dated, clock).add(try request(url))
        await eventually { later.state == .executing(.backoff) }
        clock.advance(by: .seconds(18))
        #expect(later.state == .executing(.backoff))
        clock.advance(by: .seconds(3))
        #expect(try await later.value.statusCode == 200)

        let far = TransportDouble()
        far.on("GET", url, .status(503).header("Retry-After", "61"), .text("hello"))
        #expect((await manager(far, clock).add(try request(url)).failure as? RequestError)?.statusCode == 503)
    }

    @Test("MG-76: a body is sent again from its start")
    func bodies() async throws {
        let transport = TransportDouble(), clock = ManualClock()
        transport.on("PUT", url, .status(503), .text("ok"))
        var put = try request(url, method: "PUT")
        put.httpBody = Data("whole".utf8)
        _ = await clock.pass(manager(transport, clock).add(put))
        #expect(transport.requests.map(\.httpBody) == [Data("whole".utf8), Data("whole".utf8)])
    }
}
