import Foundation
import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineRequests

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

    @Test("PL-44, PL-73: a policy on statuses may ask for the end of the load that it judges")
    func policyIsAsked() async throws {
        let asked = Recorder<Int>(), judged = Locked<Transfer<MemorySink>?>(nil)
        let transfer = try transfer {
            $0.status = .accepting { status in
                asked.record(status)
                judged.withLock { $0 }?.cancel()
                return true
            }
        }
        judged.withLock { $0 = transfer }
        transfer.start()
        let exchange = await transport.exchange(1)
        exchange.respond(404, [:], "no")
        #expect(asked.values == [404] && exchange.stopped.count == 1 && ends.count == 0)
        judged.withLock { $0 = nil }
    }

    @Test("PL-88: progress has the received and the total bytes")
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
        await clock.waitForScheduled(after: .seconds(10))
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
        "PL-79: a body with a secret keeps a redirect from another origin only as long as it would be sent there"
    )
    func secretBody() throws {
        let first = try #require(URL(string: "https://a.test/"))
        var options = LoadOptions()
        options.body = .data(Data("secret".utf8))
        let plan = try TransferPlan(URLRequest(url: first), options)
        let secrets = RequestSecrets(headers: [], isInBody: true)
        func led(from url: URL, by status: Int, to place: String, _ state: inout TransferState) throws {
            let response = try #require(
                HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: nil, headerFields: ["Location": place]))
            guard
                case .redirect(let next, let keepsBody)? = try state.redirect(
                    TransferResponse(response), secrets)
            else {
                return
            }
            _ = state.follow(next, keepsBody: keepsBody)
        }
        var state = TransferState(plan)
        #expect(throws: RequestError.self) {
            try led(from: first, by: 307, to: "https://b.test/", &state)
        }
        try led(from: first, by: 303, to: "/next", &state)
        try led(from: first, by: 307, to: "https://b.test/", &state)
        #expect(state.request.url?.host() == "b.test")
    }

    @Test(
        "PL-81: waiting in line counts for no time-out, signs of life put the idle one off, and each phase has its name"
    )
    func phases() throws {
        var options = LoadOptions()
        options.idleTimeout = .seconds(10)
        options.totalTimeout = .seconds(100)
        let url = try #require(URL(string: "http://example.com/"))
        let plan = try TransferPlan(URLRequest(url: url), options)
        /// The phase that a timer at `time` would fail.
        func phase(_ state: TransferState, at time: Int) -> RequestError.Phase? {
            var state = state
            for effect in state.timerFired(at: .seconds(time)) {
                if case .fail(let error as RequestError) = effect { return error.phase }
            }
            return nil
        }
        var state = TransferState(plan)
        _ = state.start(at: .zero)
        #expect(phase(state, at: 500) == nil)
        let hasBegun = (0..<2).map { _ in state.began(1, tellsStages: true, at: .seconds(1000)) != nil }
        #expect(hasBegun == [true, false])
        #expect(phase(state, at: 1009) == nil)
        #expect(phase(state, at: 1010) == .connecting)
        state.note(1, .connected, at: .seconds(1009))
        #expect(phase(state, at: 1018) == nil && phase(state, at: 1019) == .answering)
        state.note(1, .head, at: .seconds(1018))
        #expect(phase(state, at: 1027) == nil)
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 5, textEncodingName: nil)
        _ = state.responded(
            1, TransferResponse(response), isAccepted: true, secrets: RequestSecrets(), at: .seconds(1027))
        #expect(phase(state, at: 1037) == .receiving)
        for second in stride(from: 1030, through: 1099, by: 5) {
            _ = state.received(1, 0, at: .seconds(second))
        }
        #expect(phase(state, at: 1099) == nil && phase(state, at: 1100) == .total)
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

    @Test("PL-82: a cancelled transfer stops the exchange, reports nothing, and ignores start and events")
    func cancel() async throws {
        let unsent = try self.transfer()
        unsent.cancel()
        unsent.start()
        #expect(transport.count == 0 && ends.count == 0)
        let activity = Recorder<Int>()
        let subscription = TransferActivity.shared.onChange { activity.record($0) }
        let transfer = try self.transfer()
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
        subscription.cancel()
    }

    @Test("PL-82: nothing is left when cancel() returns, though the transport is still at the response")
    func cancelledWhileBeginning() async throws {
        let sink = HeldSink()
        let url = try #require(URL(string: "http://example.com/a"))
        let transfer = Transfer(
            try TransferPlan(URLRequest(url: url), LoadOptions()), to: sink, over: transport, clock: clock,
            report: { _ in }, complete: { _ in Issue.record("a cancelled transfer told its end") })
        transfer.start()
        let exchange = await transport.exchange(1)
        let thread = Thread { exchange.respond() }
        thread.start()
        await sink.begun.waitForCount(1)
        transfer.cancel()
        #expect(sink.discarded.count == 1)
        sink.gate.signal()
        await exchange.stopped.waitForCount(1)
    }

    /// A sink whose beginning takes as long as the test says.
    private final class HeldSink: TransferSink {
        let begun = Recorder<Void>()
        let discarded = Recorder<Void>()
        let gate = DispatchSemaphore(value: 0)

        func begin(_ response: TransferResponse, expected: Int64?) {
            begun.record(())
            gate.wait()
        }
        func write(_ bytes: Data) {}
        func finish() {}
        func discard() { discarded.record(()) }
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

    @Test(
        "PL-77, PL-81: an exchange that ends without a response is an error, also if the transport cancels",
        arguments: [nil, URLError(.cancelled)])
    func noResponse(_ cause: URLError?) async throws {
        let transfer = try transfer()
        transfer.start()
        await transport.exchange(1).tell(.ended(cause))
        await ends.waitForCount(1)
        let found = error?.underlying(as: URLError.self)?.code
        #expect(error?.code == .connection && (cause == nil || found == .cancelled))
    }

    @Test("PL-87: a shared load is stopped by its last user only")
    func shared() async throws {
        var options = LoadOptions()
        options.sharesEqualLoads = true
        let plan = try TransferPlan(
            URLRequest(url: try #require(URL(string: "http://example.com/"))), options)
        let loads = SharedLoads()
        let key = try #require(SharedLoadKey(plan, over: transport, clock: clock))
        let ends = Recorder<Int>()
        let begun = Recorder<Int>()
        func join(_ number: Int) -> Subscription {
            var joined = Subscription {}
            loads.join(
                key, plan, over: transport, clock: clock, report: { _ in },
                complete: { _ in ends.record(number) },
                joined: {
                    joined = $0
                    begun.record(transport.count)
                })
            return joined
        }
        let waits = (0..<3).map(join)
        #expect(begun.values == [0, 1, 1], "a joined load can leave before anything is sent")
        let first = await transport.exchange(1)
        waits[0].cancel()
        waits[0].cancel()
        first.respond(200, [:], "x")
        await ends.waitForCount(2)
        #expect(ends.values.sorted() == [1, 2] && transport.count == 1)
        waits[1].cancel()
        let again = [join(9), join(9)]
        let second = await transport.exchange(2)
        for wait in again { wait.cancel() }
        await second.stopped.waitForCount(1)
        #expect(ends.count == 2 && clock.scheduledCount == 0)
    }
}
