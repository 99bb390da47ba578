import Foundation
import SteplineRequests
import SteplineSupport
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    @Suite("The transport over libcurl", .timeLimit(.minutes(5)))
    struct CurlTransportTests {
        let server: LoopbackServer
        let transport: CurlTransport
        let reported = Recorder<TransportEvent>()
        let ended = Recorder<(any Error)?>()

        init() throws {
            server = try LoopbackServer()
            transport = try #require(CurlTransport())
        }

        private func send(_ path: String, flow: TransportFlow? = nil) -> Subscription {
            transport.send(URLRequest(url: server.url(path)), body: .none, terms: TransportTerms(flow: flow))
            { event in
                reported.record(event)
                if case .ended(let error) = event { ended.record(error) }
            }
        }

        private var received: Int {
            reported.values.reduce(0) { count, event in
                if case .bytes(let bytes) = event { count + bytes.count } else { count }
            }
        }

        @Test("Events come in order, and the end comes once")
        func order() async throws {
            server.route("/a", .pattern(count: 1_000_000))
            let exchange = send("/a")
            await ended.waitForCount(1)
            guard case .response(let response)? = reported.values.first,
                case .ended(nil)? = reported.values.last
            else {
                Issue.record("\(reported.values)")
                return
            }
            #expect((response as? HTTPURLResponse)?.statusCode == 200 && received == 1_000_000)
            exchange.cancel()
            #expect(ended.count == 1)
        }

        @Test("PL-80: while receiving is paused nothing more is read, and the rest follows")
        func flow() async throws {
            let flow = TransportFlow()
            server.route("/large", .pattern(count: 30_000_000))
            flow.hold()
            let exchange = send("/large", flow: flow)
            server.route("/a", .text("a"))
            await reported.waitForCount(1)
            await sendOthers()
            #expect(reported.count == 1 && ended.count == 0)
            flow.release()
            await ended.waitForCount(1)
            #expect(received == 30_000_000)
            exchange.cancel()
        }

        /// Asks for other things, one after the other: once they have come, all that was to be told is told.
        private func sendOthers() async {
            let other = Recorder<Void>()
            for _ in 0..<20 {
                let count = other.count
                let next = transport.send(URLRequest(url: server.url("/a")), body: .none) { event in
                    if case .ended = event { other.record(()) }
                }
                await other.waitForCount(count + 1)
                next.cancel()
            }
        }

        /// Asks for a body, of which the sizes alone are kept; `onBytes` is called when its first bytes come.
        private func sendCounting(
            _ path: String, flow: TransportFlow? = nil, onBytes: @escaping @Sendable () -> Void
        ) -> (exchange: Subscription, sizes: Recorder<Int>) {
            let sizes = Recorder<Int>()
            let exchange = transport.send(
                URLRequest(url: server.url(path)), body: .none, terms: TransportTerms(flow: flow)
            ) { [ended] event in
                switch event {
                case .bytes(let bytes):
                    if sizes.count == 0 { onBytes() }
                    sizes.record(bytes.count)
                case .ended(let error): ended.record(error)
                default: break
                }
            }
            return (exchange, sizes)
        }

        @Test(
            "PL-80: a body that is packed twice is unpacked as far as it is wanted, and ends behind that",
            arguments: ["", "garbage"])
        func packedFlow(_ garbage: String) async throws {
            let flow = TransportFlow()
            let body = packedZeros + Data(garbage.utf8)
            server.route("/packed", .data(body).header("Content-Encoding", "gzip, gzip"))
            server.route("/a", .text("a"))
            let (exchange, sizes) = sendCounting("/packed", flow: flow) { flow.hold() }
            await sizes.waitForCount(1)
            await sendOthers()
            #expect(sizes.values.reduce(0, +) <= 1 << 20 && ended.count == 0)
            flow.release()
            await ended.waitForCount(1)
            #expect(sizes.values.reduce(0, +) == 128 << 20)
            let end = ended.values[0]
            #expect((end == nil) == garbage.isEmpty)
            if let end { #expect((end as? URLError)?.code == .cannotDecodeContentData) }
            exchange.cancel()
        }

        @Test("PL-80: a body that is being unpacked for long keeps no other transfer waiting")
        func packedBesideOthers() async throws {
            let gate = Gate()
            // Many members, of which libcurl hands over dozens at once: gigabytes.
            let body = (0..<100).reduce(into: Data()) { body, _ in body += packedZeros }
            server.route("/packed", .data(body).header("Content-Encoding", "gzip, gzip"))
            server.route("/a", .text("a").fault(.hold(after: 0, gate)))
            let other = Recorder<Void>()
            let beside = transport.send(URLRequest(url: server.url("/a")), body: .none) { event in
                if case .ended = event { other.record(()) }
            }
            await server.waitForRequests(1)
            let (exchange, sizes) = sendCounting("/packed") { gate.open() }
            await other.waitForCount(1)
            #expect(sizes.count > 0 && sizes.values.reduce(0, +) < 4 << 30)
            exchange.cancel()
            beside.cancel()
        }

        @Test("PL-82: an exchange that is stopped while some of its body is still packed tells no more")
        func stoppedWhilePacked() async throws {
            let flow = TransportFlow()
            server.route("/packed", .data(packedZeros).header("Content-Encoding", "gzip, gzip"))
            server.route("/a", .text("a"))
            let (exchange, sizes) = sendCounting("/packed", flow: flow) { flow.hold() }
            await sizes.waitForCount(1)
            exchange.cancel()
            flow.release()
            await sendOthers()
            #expect(sizes.values.reduce(0, +) <= 1 << 20 && ended.count == 0)
        }

        @Test(
            "PL-81: before the response it is told that there is a connection, and that a part of the head has come"
        )
        func stages() async throws {
            let (gate, stages) = (Gate(), Recorder<TransportStage>())
            let rest = LoopbackBody.data(Data("X: y\r\n\r\nhello".utf8))
            server.route("/a", .raw(head: "HTTP/1.1 200 OK\r\n", body: rest).fault(.hold(after: 2, gate)))
            let terms = TransportTerms(onStage: { stages.record($0) })
            let exchange = transport.send(
                URLRequest(url: server.url("/a")), body: .none, terms: terms
            ) { [reported, ended] event in
                reported.record(event)
                if case .ended(let error) = event { ended.record(error) }
            }
            await stages.waitForCount(2)
            #expect(stages.values.first == .connected && stages.values.last == .head && reported.count == 0)
            gate.open()
            await ended.waitForCount(1)
            #expect(received == 5)
            exchange.cancel()
        }

        @Test("PL-82: an exchange that is stopped while it is held closes its connection")
        func stoppedWhileHeld() async throws {
            let flow = TransportFlow()
            server.route("/large", .pattern(count: nil))
            flow.hold()
            let exchange = send("/large", flow: flow)
            await reported.waitForCount(1)
            exchange.cancel()
            await server.waitForClosedConnections()
            flow.release()
            #expect(ended.count == 0)
        }

        @Test("a burst of loads uses the connections of the burst before it")
        func bursts() async throws {
            server.route("/a", .text("a"))
            for burst in 1...5 {
                let loads = (0..<12).map { _ in send("/a") }
                await ended.waitForCount(12 * burst)
                withExtendedLifetime(loads) {}
            }
            #expect(server.connectionCount <= 12)
        }

        @Test("PL-82: releasing a transport ends its exchanges, its thread and its connections")
        func dropped() async throws {
            server.route("/held", .text("x").fault(.silence))
            do {
                let transport = try #require(CurlTransport())
                _ = transport.send(URLRequest(url: server.url("/held")), body: .none) { [ended] event in
                    if case .ended(let error) = event { ended.record(error) }
                }
                await server.waitForRequests()
            }
            await ended.waitForCount(1)
            #expect((ended.values[0] as? URLError)?.code == .cancelled)
            await server.waitForClosedConnections()
        }

        @Test("PL-83: a POST whose connection was dead is not sent twice of the transport's own accord")
        func neverTwice() async throws {
            server.route("/a", .text("a"))
            server.route("/post", .raw(head: ""))
            let warm = send("/a")
            await ended.waitForCount(1)
            warm.cancel()
            for body in [TransportBody.data(Data("x".utf8)), .none] {
                var post = URLRequest(url: server.url("/post"))
                post.httpMethod = "POST"
                let count = ended.count
                let exchange = transport.send(post, body: body) { [ended] event in
                    if case .ended(let error) = event { ended.record(error) }
                }
                await ended.waitForCount(count + 1)
                exchange.cancel()
                #expect(ended.values.last is URLError)
            }
            #expect(server.requests.filter { $0.method == "POST" }.count == 2)
        }

        @Test(
            "PL-81: hosts of all kinds are read alike, and a connection that is refused says so",
            arguments: [
                "http://[::1]:1/", "http://127.0.0.1:1/", "http://LOCALHOST:1/",
                "http://[::ffff:127.0.0.1]:1/",
            ])
        func refused(_ text: String) async throws {
            let url = try #require(URL(string: text))
            let exchange = transport.send(URLRequest(url: url), body: .none) { [ended] event in
                if case .ended(let error) = event { ended.record(error) }
            }
            await ended.waitForCount(1)
            exchange.cancel()
            #expect((ended.values[0] as? URLError)?.code == .cannotConnectToHost)
        }

        @Test("PL-81: a host that Foundation and libcurl would read differently is connected to by neither")
        func hosts() async throws {
            let texts = ["http://127.0.0.1:\(server.port)\\@example.invalid/", "http://user@127.0.0.1/"]
            for url in texts.compactMap({ URL(string: $0) }) {
                let count = ended.count
                let exchange = transport.send(URLRequest(url: url), body: .none) { [ended] event in
                    if case .ended(let error) = event { ended.record(error) }
                }
                await ended.waitForCount(count + 1)
                exchange.cancel()
                #expect(ended.values.last is URLError)
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// 128 MiB of zeros, packed by gzip and once more by gzip.
    private let packedZeros =
        Data(
            base64Encoded: """
                H4sIAAAAAAACA+3dLW4CURiGUYYZQSr4EShEZwXVJA0JY9A0oZogKpHVTEJQNd1EdRULqGMHUMcCmgrSoEin3NnF
                bc5RVz/6zXdvX1qNoJl+fSTJ9VG+/r5/t24aAAAAAAAAAEDkys91GsYAjbzaT6aPAAAAAAAAAEDsFp12Vo8CLvNB
                IQcAAAAAAAAARG8zGnbrCwGn1TKTAwAAAAAAAACi1z8fx/UWYFdtezM9AAAAAAAAACB6h3WahC1AXu0nUzkAAAAA
                AAAAIHqLTjsLW4DyMh8UcgAAAAAAAABA9DajYbf+JOC0WmZyAAAAAAAAAED0+ufjuN4C7Kptb6YHAAAAAAAAAETv
                sE6TsAXIq/1kKgcAAAAAAAAARG/RaWdhC1Be5oNCDgAAAAAAAACI3mY07NafBJxWy0wOAAAAAAAAAIhe/3wc11uA
                XbXtzfQAAAAAAAAAgOgd1mkStgB5tZ9M5QAAAAAAAACA6C067SxsAcrLfFDIAQAAAAAAAADRexsN83AYoPtTPd83
                +w0AAAAAAADgPzrePRRP5fXR+gOeXFBv5vwBAA==
                """, options: .ignoreUnknownCharacters) ?? Data()
#endif
