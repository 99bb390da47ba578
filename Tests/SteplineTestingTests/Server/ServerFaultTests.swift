import Foundation
import SteplineTesting
import Testing

@Suite("Faults of the loopback server", .timeLimit(.minutes(5)))
struct ServerFaultTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func client(_ response: LoopbackResponse) throws -> RawClient {
        server.route("/f", response)
        let client = try RawClient(port: server.port)
        client.get("/f")
        return client
    }

    @Test("A reset, an early close and a raw head come as they are scripted")
    func breaks() throws {
        let reset = try client(.text("abcdef").fault(.reset(after: 3)))
        #expect(reset.read(through: "abc") != nil && reset.read() == nil)
        let closed = try client(.text("abcdef").fault(.close(after: 3)))
        #expect(closed.read()?.hasSuffix("\r\n\r\nabc") == true)
        #expect(try client(.raw(head: "garbage", body: .data(Data("x".utf8)))).read() == "garbagex")
    }

    @Test("A held body goes on when the gate is opened")
    func hold() async throws {
        let gate = Gate()
        let held = try client(.text("abcdef").fault(.hold(after: 3, gate)).closing())
        #expect(held.read(through: "abc") != nil)
        await gate.waitForArrivals()
        gate.open()
        #expect(held.read() == "def")
    }

    @Test(
        "A stalled, a silent, a dripping, an endless and a delayed answer end when the peer goes",
        arguments: 0..<5)
    func endsWithPeer(_ which: Int) async throws {
        let responses: [LoopbackResponse] = [
            .text("abcdef").fault(.stall(after: 3)), .text("abc").fault(.silence),
            .pattern(count: nil).fault(.drip(every: .seconds(3600))), .pattern(count: nil),
            .text("abc").delayed(by: .seconds(3600)),
        ]
        do {
            let peer = try client(responses[which])
            await server.waitForRequests()
            #expect([1, 4].contains(which) || peer.read(20) != nil)
            #expect(server.openConnections == 1)
        }
        await server.waitForClosedConnections()
        #expect(server.openConnections == 0)
    }

    @Test("a delayed answer comes whole after its delay")
    func delay() throws {
        let start = ContinuousClock.now
        let delayed = try client(.text("abc").delayed(by: .milliseconds(20)).closing())
        #expect(delayed.read()?.hasSuffix("abc") == true && ContinuousClock.now - start >= .milliseconds(20))
    }

    @Test("Drips come one by one")
    func drip() throws {
        let dripping = try client(.text("abc").fault(.drip(every: .milliseconds(1))).closing())
        #expect(dripping.read()?.hasSuffix("abc") == true)
    }

    @Test(
        "a request that isn't HTTP ends the connection",
        arguments: ["garbage\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nx\r\n\r\n"])
    func badRequests(_ text: String) async throws {
        let client = try RawClient(port: server.port)
        client.send(text)
        #expect(client.read() == "" && server.requests.isEmpty)
    }

    @Test("A stopped server closes its connections and takes no more")
    func stop() async throws {
        let stalled = try client(.text("abc").fault(.silence))
        await server.waitForRequests()
        let idle = try RawClient(port: server.port)
        server.stop()
        server.stop()
        #expect(stalled.read() ?? "" == "" && idle.read() ?? "" == "")
        await server.waitUntilStopped()
        #expect(server.openConnections == 0)
    }

    @Test("A server that is dropped stops by itself")
    func dropped() async throws {
        var another: LoopbackServer? = try LoopbackServer()
        let port = try #require(another?.port)
        let client = try RawClient(port: port)
        client.get("/")
        #expect(client.read(through: "\r\n\r\n")?.contains("404") == true)
        another = nil
        _ = client.read()
    }
}
