import Testing

@testable import SteplineRequests

@Suite("Reading heads", .timeLimit(.minutes(2)))
struct ResponseHeadTests {
    private func read(_ lines: String...) -> [ResponseHead.Reading] { read(lines) }

    private func read(_ lines: [String]) -> [ResponseHead.Reading] {
        var head = ResponseHead()
        return lines.map { head.read(Array($0.utf8)) }
    }

    @Test("A head is its status, and its fields by the spelling that came first")
    func fields() {
        let readings = read(
            "HTTP/1.1 404 Not Found\r\n", "Content-Type:  text/plain \r\n", "X: a\r\n", "x: b\n", "  c\r\n",
            "Set-Cookie: a=1\r\n", "Set-Cookie: b=2; Path=/\r\n", "Empty:\r\n", "\r\n")
        let fields = ResponseHead.Fields(
            status: 404, version: "HTTP/1.1",
            values: [
                "Content-Type": "text/plain", "X": "a, b c", "Set-Cookie": "a=1, b=2; Path=/", "Empty": "",
            ], cookies: ["a=1", "b=2; Path=/"])
        #expect(readings.last == .complete(fields))
        #expect(readings.dropLast().allSatisfy { $0 == .more })
    }

    @Test("Interim heads are passed over, trailers are not looked at")
    func interim() {
        let readings = read(
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 x", "Link: a", "", "HTTP/2 200 ", "", "Trailer: x")
        let fields = ResponseHead.Fields(status: 200, version: "HTTP/2")
        #expect(readings[6] == .complete(fields))
        #expect(readings[..<6].allSatisfy { $0 == .more } && readings[7] == .more)
    }

    @Test(
        "heads that aren't HTTP are malformed",
        arguments: [
            ["HTTP/1.1"], ["HTTP/1.1 20 x"], ["HTTP/1.1 2000"], ["HTTP/1.1 ٢٠٠ x"], ["FTP/1 200 x"], [""],
            ["HTTP/1.1 200 OK", "no colon"], ["HTTP/1.1 200 OK", ": a"], ["HTTP/1.1 200 OK", " folded"],
            ["HTTP/1.1 200 OK", "a: \0"], ["HTTP/1.1 200 OK", "a: b\rc"],
            ["HTTP/1.1 200 OK", "Content-Length: 1", "content-length: 2"],
            ["HTTP/1.1 200 OK", "Content-Length: 99999999999999999999"],
        ])
    func malformed(_ lines: [String]) {
        var head = ResponseHead()
        let readings = lines.map { head.read($0.utf8) }
        guard case .malformed = readings.last else {
            Issue.record("\(readings)")
            return
        }
    }

    @Test("PL-80: a line and a head have limits, and so have interim heads and trailers together")
    func limits() {
        let status = "HTTP/1.1 200 OK"
        let fitting = "X: " + String(repeating: "x", count: ResponseHead.lineLimit - 3)
        let refused = ResponseHead.Reading.malformed("the response's head is too long")
        #expect(read(status, fitting) == [.more, .more])
        #expect(read(status, fitting + "x").last == refused)
        let interim = [status.replacing("200", with: "103"), fitting, ""]
        #expect(read(interim + interim + interim + interim + interim + interim + interim).last == .more)
        let many = (0..<8).flatMap { _ in interim }
        #expect(read(many).last == refused)
        let trailers = [status, ""] + [String](repeating: fitting, count: 8)
        #expect(read(trailers).last == refused)
    }
}

@Suite("A loop's inbox", .timeLimit(.minutes(2)))
struct CurlInboxTests {
    @Test("only a sleeping thread is woken, and once")
    func waking() {
        var inbox = CurlInbox<Int>()
        var needsWaking = [inbox.add(1)]
        var mayWait = [inbox.fallAsleep()]
        var taken = [inbox.take()]
        mayWait.append(inbox.fallAsleep())
        needsWaking += [inbox.add(2), inbox.add(3)]
        mayWait.append(inbox.fallAsleep())
        taken += [inbox.take(), inbox.take()]
        #expect(needsWaking == [false, true, false])
        #expect(mayWait == [false, true, false])
        #expect(taken == [[1], [2, 3], []])
    }
}
