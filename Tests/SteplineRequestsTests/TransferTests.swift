import Foundation
import SteplineRequests
import SteplineSupport
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Transfers", .timeLimit(.minutes(5)))
struct TransferTests {
    let transport = FakeTransport()
    let clock = ManualClock()
    let ends = Recorder<Result<Data, any Error>>()
    let progress = Recorder<TransferProgress>()

    private func transfer(
        _ url: String = "http://example.com/a", _ change: (inout LoadOptions) -> Void = { _ in }
    ) throws -> Transfer<MemorySink> {
        var options = LoadOptions()
        change(&options)
        let plan = try TransferPlan(URLRequest(url: try #require(URL(string: url))), options)
        return Transfer(
            plan, to: MemorySink(), over: transport, clock: clock,
            report: { [progress] in progress.record($0) },
            complete: { [ends] end in ends.record(end.map(\.value)) })
    }

    private var error: RequestError? {
        guard case .failure(let error)? = ends.values.first else { return nil }
        return error as? RequestError ?? (error as? RefusedStatus)?.error
    }

    @Test("PL-73: of several responses the last counts, and the bytes behind it")
    func lastResponse() async throws {
        let transfer = try transfer()
        transfer.start()
        let exchange = await transport.exchange(1)
        exchange.respond(103)
        exchange.respond(500)
        exchange.tell(.bytes(Data("no".utf8)))
        exchange.respond(200, ["Content-Length": "3"])
        exchange.tell(.bytes(Data("old".utf8)))
        exchange.respond(200, [:], "new")
        await ends.waitForCount(1)
        #expect(try ends.values[0].get() == Data("new".utf8))
    }

    @Test("PL-88: progress tells what came of how much")
    func progressed() async throws {
        let transfer = try transfer()
        transfer.start()
        let exchange = await transport.exchange(1)
        exchange.respond(200, ["Content-Length": "6"])
        exchange.tell(.bytes(Data("abc".utf8)))
        exchange.tell(.bytes(Data("def".utf8)))
        exchange.tell(.ended(nil))
        await ends.waitForCount(1)
        #expect(progress.values.map(\.completed) == [3, 6] && progress.values.map(\.total) == [6, 6])
    }

    @Test("PL-81: bytes put the idle time-out off, but not the total one")
    func timeouts() async throws {
        let transfer = try transfer {
            $0.idleTimeout = .seconds(10)
            $0.totalTimeout = .seconds(25)
        }
        transfer.start()
        let exchange = await transport.exchange(1)
        await clock.waitForScheduled()
        exchange.respond()
        for _ in 0..<3 {
            clock.advance(by: .seconds(8))
            exchange.tell(.bytes(Data("x".utf8)))
        }
        #expect(ends.count == 0)
        clock.advance(by: .seconds(1))
        await ends.waitForCount(1)
        #expect(error?.code == .timedOut && exchange.stopped.count == 1 && clock.scheduledCount == 0)
    }

    @Test(
        "PL-34: no number that a peer or caller names makes a trap",
        arguments: [
            "9223372036854775807", "99999999999999999999", "-1", "0x10", "",
        ])
    func numbers(_ length: String) async throws {
        let transfer = try transfer { $0.sizeLimit = .max }
        transfer.start()
        let exchange = await transport.exchange(1)
        exchange.respond(200, ["Content-Length": length], "abc")
        await ends.waitForCount(1)
        var odd = URLRequest(url: try #require(URL(string: "http://example.com/")))
        for seconds in [Double.nan, .infinity, -.infinity, -1, 1e300] {
            odd.timeoutInterval = seconds
            _ = try TransferPlan(odd, LoadOptions())
        }
    }

    @Test("PL-82: a cancelled transfer stops the exchange, tells nothing, and hears nothing any more")
    func cancel() async throws {
        let activity = Recorder<Int>()
        let subscription = TransferActivity.shared.onChange { activity.record($0) }
        let transfer = try transfer()
        transfer.start()
        let exchange = await transport.exchange(1)
        exchange.respond()
        transfer.cancel()
        transfer.cancel()
        await exchange.stopped.waitForCount(1)
        exchange.respond(200, [:], "late")
        transfer.start()
        #expect(transport.count == 1 && ends.count == 0 && progress.count == 0)
        #expect(clock.scheduledCount == 0)
        subscription.end()
    }

    @Test("PL-82: cancelled before its start it sends nothing")
    func cancelledFirst() throws {
        let transfer = try transfer()
        transfer.cancel()
        transfer.start()
        #expect(transport.count == 0 && ends.count == 0)
    }

    @Test("PL-79: from https to http no redirect is followed unless allowed", arguments: [false, true])
    func insecure(_ isAllowed: Bool) async throws {
        let transfer = try transfer("https://example.com/a") {
            $0.redirects = .follow(allowingInsecure: isAllowed)
        }
        transfer.start()
        await transport.exchange(1).respond(302, ["Location": "http://example.com/b"], "")
        if isAllowed {
            let second = await transport.exchange(2)
            #expect(second.request.url?.absoluteString == "http://example.com/b")
            second.respond(200, [:], "b")
        }
        await ends.waitForCount(1)
        #expect(error?.code == (isAllowed ? nil : .redirectRefused))
    }

    @Test(
        "PL-79: the origin is scheme, host and port",
        arguments: [
            ("http://example.com/b", true), ("http://EXAMPLE.com:80/b", true),
            ("http://example.com:81/b", false),
            ("https://example.com/b", false), ("http://example.org/b", false), ("//example.com/b", true),
        ])
    func origins(_ place: String, _ isSame: Bool) async throws {
        let transfer = try transfer { $0.headers = ["Authorization": "hush", "proxy-authorization": "hush"] }
        transfer.start()
        await transport.exchange(1).respond(307, ["Location": place], "")
        let second = await transport.exchange(2)
        let kept = ["Authorization", "Proxy-Authorization"].map {
            second.request.value(forHTTPHeaderField: $0)
        }
        #expect(kept == (isSame ? ["hush", "hush"] : [nil, nil]))
        transfer.cancel()
    }

    @Test("PL-77: a cancellation that nobody asked for is a failure")
    func foreignCancellation() async throws {
        let transfer = try transfer()
        transfer.start()
        await transport.exchange(1).tell(.ended(URLError(.cancelled)))
        await ends.waitForCount(1)
        #expect(error?.code == .connection && error?.underlying(as: URLError.self)?.code == .cancelled)
    }

    @Test("PL-81: an exchange that ends without a response is an error")
    func noResponse() async throws {
        let transfer = try transfer()
        transfer.start()
        await transport.exchange(1).tell(.ended(nil))
        await ends.waitForCount(1)
        #expect(error?.code == .connection)
    }

    @Test("PL-87: the last of those who share a load stops it, the others don't")
    func shared() async throws {
        var options = LoadOptions()
        options.sharesEqualLoads = true
        let plan = try TransferPlan(
            URLRequest(url: try #require(URL(string: "http://example.com/"))), options)
        let loads = SharedLoads()
        let key = try #require(SharedLoadKey(plan, over: transport, clock: clock))
        let ends = Recorder<Int>()
        let waits = (0..<3).map { number in
            loads.join(key, plan, over: transport, clock: clock, report: { _ in }) { _ in ends.record(number)
            }
        }
        let first = await transport.exchange(1)
        waits[0].end()
        waits[0].end()
        first.respond(200, [:], "x")
        await ends.waitForCount(2)
        #expect(ends.values.sorted() == [1, 2] && transport.count == 1)
        waits[1].end()
        let again = (0..<2).map { number in
            loads.join(key, plan, over: transport, clock: clock, report: { _ in }) { _ in ends.record(9) }
        }
        let second = await transport.exchange(2)
        for wait in again { wait.end() }
        await second.stopped.waitForCount(1)
        #expect(ends.count == 2 && clock.scheduledCount == 0)
    }
}
