import Foundation
import Testing

@testable import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Reading heads", .timeLimit(.minutes(5)))
struct ResponseHeadTests {
    /// A reading without the fields of a complete head.
    private enum Kind: Equatable {
        case more, complete
        case malformed(String)
    }

    private func read(_ lines: [String]) -> (kinds: [Kind], fields: HeadFields?) {
        var head = ResponseHead()
        var complete: HeadFields?
        let kinds = lines.map { line in
            switch head.read(Array(line.utf8)) {
            case .more: return Kind.more
            case .malformed(let reason): return .malformed(reason)
            case .complete(let fields):
                complete = fields
                return .complete
            }
        }
        return (kinds, complete)
    }

    @Test("A head is its status, and its fields by the spelling that came first")
    func fields() throws {
        let (kinds, complete) = read([
            "HTTP/1.1 404 Not Found\r\n", "Content-Type:  text/plain \r\n", "X: a\r\n", "x: b\n", "  c\r\n",
            "Set-Cookie: a=1\r\n", "Set-Cookie: b=2; Path=/\r\n", "Empty:\r\n", "\r\n",
        ])
        let fields = try #require(complete)
        #expect(
            fields.status == 404 && fields.version == "HTTP/1.1" && fields.cookies == ["a=1", "b=2; Path=/"])
        #expect(
            fields.values == [
                "Content-Type": "text/plain", "X": "a, b c", "Set-Cookie": "a=1, b=2; Path=/", "Empty": "",
            ])
        #expect(fields.value(of: "x") == "a, b c" && fields.value(of: "empty") == "")
        #expect(fields.value(of: "content") == nil)
        #expect(kinds == [Kind](repeating: .more, count: 8) + [.complete])
    }

    @Test("Bytes that aren't UTF-8 are read as ISO 8859-1")
    func latin() throws {
        var head = ResponseHead()
        _ = head.read("HTTP/1.1 200".utf8)
        _ = head.read(Array("X: caf".utf8) + [0xE9])
        _ = head.read("Y: café".utf8)
        guard case .complete(let fields) = head.read("".utf8) else {
            Issue.record("the head is incomplete")
            return
        }
        #expect(fields.values == ["X": "café", "Y": "café"])
    }

    @Test("A repeated equal length counts once, and no folded line continues it")
    func repeatedLength() throws {
        let lines = ["HTTP/1.1 200 OK", "Content-Length: 1", "A: b", "content-length:1"]
        let fields = try #require(read(lines + [""]).fields)
        #expect(fields.values == ["Content-Length": "1", "A": "b"])
        #expect(fields.value(of: "content-length") == "1")
        let folded = read(lines + [" 2"]).kinds.last
        #expect(folded == .malformed("a line of the response's head isn't a header"))
    }

    @Test("Interim heads are passed over, trailers are not looked at")
    func interim() throws {
        let (kinds, complete) = read([
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 x", "Link: a", "", "HTTP/2 200 ", "", "Trailer: x",
        ])
        let fields = try #require(complete)
        #expect(fields.status == 200 && fields.version == "HTTP/2" && fields.values.isEmpty)
        #expect(kinds == [Kind](repeating: .more, count: 6) + [.complete, .more])
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
        let refused = Kind.malformed("the response's head is too long")
        #expect(read([status, fitting]).kinds == [.more, .more])
        #expect(read([status, fitting + "x"]).kinds.last == refused)
        let interim = [status.replacing("200", with: "103"), fitting, ""]
        #expect(read((0..<7).flatMap { _ in interim }).kinds.last == .more)
        #expect(read((0..<8).flatMap { _ in interim }).kinds.last == refused)
        let trailers = [status, ""] + [String](repeating: fitting, count: 8)
        #expect(read(trailers).kinds.last == refused)
    }
}

@Suite("The response of a transfer", .timeLimit(.minutes(5)))
struct TransferResponseTests {
    private let url = URL(filePath: "/place")

    private func fields(_ lines: String...) throws -> HeadFields {
        var head = ResponseHead()
        for line in lines { _ = head.read(line.utf8) }
        guard case .complete(let fields) = head.read("".utf8) else { throw URLError(.badServerResponse) }
        return fields
    }

    @Test("The object is created once, and agrees with the head")
    func object() throws {
        let response = TransferResponse(
            try fields(
                "HTTP/1.1 404 x", "content-LENGTH: 12", "Content-Type: text/plain; charset=utf-8", "X-A: 1"),
            from: url)
        #expect(response.status == 404 && response.expectedLength == 12)
        #expect(response.value(of: "x-a") == "1" && response.value(of: "x-b") == nil)
        let object = try #require(response.object as? HTTPURLResponse)
        #expect(object === response.object)
        #expect(object.statusCode == 404 && object.url == url && object.expectedContentLength == 12)
        #expect(object.mimeType == "text/plain" && object.textEncodingName == "utf-8")
        #expect(object.value(forHTTPHeaderField: "X-A") == "1")
    }

    @Test(
        "The media type is that of Foundation's object",
        arguments: [
            "text/html", "Text/HTML; charset=utf-8", "text/html;charset", "application/json ; q=1",
            " text/html ",
            "image/svg+xml;a=\"b;c\"", "text", "",
        ])
    func mediaType(_ text: String) throws {
        let response = TransferResponse(try fields("HTTP/1.1 200 OK", "Content-Type: \(text)"), from: url)
        // The object keeps a space before the semicolon.
        let other = response.object.mimeType?.lowercased().trimmingCharacters(in: .whitespaces)
        #expect((response.mediaType ?? "") == other ?? "")
        #expect(TransferResponse(try fields("HTTP/1.1 200 OK"), from: url).mediaType == nil)
    }

    @Test(
        "The charset is that of Foundation's object",
        arguments: [
            "text/html", "text/html; charset=utf-8", "text/html;charset=koi8-r; x=y", "text/html;charset",
            "text/html; charset=\"utf-8\"", "text/html; a=\"x;charset=koi8-r\"; charset=utf-8",
            "; charset=utf-8", "text/html; charset = utf-8", "text/html; x=charset; charset=a; charset=b", "",
        ])
    func charset(_ text: String) throws {
        let response = TransferResponse(try fields("HTTP/1.1 200 OK", "Content-Type: \(text)"), from: url)
        #expect(response.charset == response.object.textEncodingName)
        #expect(TransferResponse(try fields("HTTP/1.1 200 OK"), from: url).charset == nil)
    }

    @Test("The name of the parameter is read without case, which Foundation's object on Linux doesn't do")
    func upperCaseCharset() throws {
        let response = TransferResponse(
            try fields("HTTP/1.1 200 OK", "Content-Type: text/html; Charset=windows-1251"), from: url)
        #expect(response.charset == "windows-1251")
    }

    @Test("A response without HTTP has no status and no headers")
    func otherScheme() {
        let object = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        let response = TransferResponse(object)
        #expect(response.object === object && response.status == nil)
        #expect(response.value(of: "x-a") == nil && response.expectedLength == nil)
    }
}

#if os(Linux)
    @Suite("The host of a URL", .timeLimit(.minutes(5)))
    struct PlainAuthorityTests {
        @Test(
            "Only an authority that every parser reads alike skips the comparison with libcurl",
            arguments: [
                ("http://example.com", true), ("https://a-b.c1:8080/x?y@z#w", true),
                ("http://127.0.0.1?", true),
                ("http://user@example.com/", false), ("http://example.com:80:90/", false),
                ("http://[::1]/", false), ("http://a%2eb/", false), ("http://:80/", false),
                ("http://example.com:8a/", false), ("mailto:a", false),
            ])
        func plain(_ text: String, _ isPlain: Bool) throws {
            #expect(URL(string: text).map(\.hasPlainAuthority) ?? false == isPlain)
        }
    }
#endif

@Suite("A loop's inbox", .timeLimit(.minutes(5)))
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
