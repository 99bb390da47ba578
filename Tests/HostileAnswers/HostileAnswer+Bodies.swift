import Foundation
import SteplineTesting

extension HostileAnswer {
    /// Invalid chunks, and trailers.
    static let chunks: [HostileAnswer] =
        [
            "", "5", "5\r\n", "5\r\nhel", "5\r\nhello", "5\r\nhello\r\n", "5\r\nhello\r\n0",
            "zz\r\nhello\r\n",
            "-5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "\r\n5\r\nhello\r\n0\r\n\r\n",
            "5\r\nhelloworld\r\n0\r\n\r\n", "fffffffffffffffff\r\nhello", "7fffffffffffffff\r\nhello",
            "ffffffffffffffff\r\nhello", "5 5\r\nhello",
        ].map { HostileAnswer("chunks \($0.debugDescription)", .failure, chunked($0)) }
        + [
            "5;x=\"y\"\r\nhello\r\n0\r\n\r\n", "0005\r\nhello\r\n0\r\n\r\n",
            "5\r\nhello\r\n0\r\nX: y\r\n\r\n",
        ].map { HostileAnswer("chunks \($0.debugDescription)", .success("hello"), chunked($0)) }
        + [
            "5\nhello\n0\n\n", "5\r\nhello\r\n0\r\n\0: y\r\n\r\n", "5\r\nhello\r\n0\r\nno colon\r\n\r\n",
            "5\r\nhello\r\n0\r\n" + String(repeating: "X: y\r\n", count: 5000) + "\r\n",
            "5;" + String(repeating: "x", count: 100_000) + "\r\nhello\r\n0\r\n\r\n",
            "5\r\nhello\r\n0\r\nContent-Length: 99\r\n\r\n", "5\r\nhello\r\n0\r\n\r\nmore",
        ].map { HostileAnswer("chunks \($0.prefix(40).debugDescription)", .either, chunked($0)) }

    private static func chunked(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    }

    /// Compressed bodies that are cut, damaged, or not compressed at all.
    static let encodings: [HostileAnswer] = {
        let packed = storedGzip(Data("hello".utf8))
        var broken = packed
        broken[broken.count - 6] ^= 1
        func answer(_ encoding: String, _ bytes: Data) -> LoopbackResponse {
            LoopbackResponse.data(bytes).header("Content-Encoding", encoding)
        }
        let failing: [(String, String, Data)] = [
            ("cut by a byte", "gzip", packed.dropLast()), ("cut in its middle", "gzip", packed.prefix(15)),
            ("cut in its head", "gzip", packed.prefix(5)), ("with a wrong sum", "gzip", broken),
            ("with garbage behind it", "gzip", packed + Data("garbage".utf8)),
            ("with a second member cut", "gzip", packed + packed.dropLast(2)),
            ("that is none", "gzip", Data("hello".utf8)), ("that is none", "deflate", Data("hello".utf8)),
            ("that is none", "gzip, gzip", Data("hello".utf8)), ("once for twice", "gzip, gzip", packed),
            ("of nobody's kind", "br", Data("hello".utf8)),
            ("of nobody's kind", "x-secret", Data("hello".utf8)),
            ("on many others", "gzip, gzip, gzip, gzip, gzip, gzip", packed),
        ]
        return failing.map { HostileAnswer("\($1) \($0)", .failure, answer($1, $2)) } + [
            HostileAnswer("two members of gzip", .success("hellohello"), answer("gzip", packed + packed)),
            HostileAnswer(
                "gzip filled up with zeros", .success("hello"), answer("gzip", packed + Data(count: 9))),
            HostileAnswer("gzip in gzip", .success("hello"), answer("gzip, gzip", storedGzip(packed))),
            HostileAnswer("identity", .success("hello"), answer("identity", Data("hello".utf8))),
        ]
    }()

    /// Redirects to forbidden places, and redirect loops.
    static let redirects: [HostileAnswer] =
        [
            "", " ", "http://", "http:///x", "http://[::1", "http://%zz/", "//", "///x",
            "http://127.0.0.1:99999/",
            "http://127.0.0.1:0x50/", "http://127.0.0.1:1/", "http://[::1]:1/", "file:///etc/passwd",
            "data:,hello", "ftp://127.0.0.1/x", "javascript:alert(1)", "mailto:a@b", "gopher://127.0.0.1:1/x",
            "dict://127.0.0.1:1/x", "http://a b/", "http://127.0.0.1\\@127.0.0.2:1/", "http://user@/", ":",
            "::",
            "http://\u{7f}/", "\\\\127.0.0.1\\x",
        ].map { HostileAnswer("a redirect to \($0.debugDescription)", .failure, redirect("302 Found", $0)) }
        + [301, 302, 303, 307, 308].map { status in
            HostileAnswer("a circle of \(status)", .failure, redirect("\(status) x", "?"))
        }
        + [
            HostileAnswer("a redirect with two places", .failure, redirect("302 x", ":\r\nLocation: ::")),
            HostileAnswer(
                "a redirect to itself with a long query", .failure,
                redirect("302 x", "?" + String(repeating: "a", count: 20_000))),
            HostileAnswer("a redirect that is cut", .failure, "HTTP/1.1 302 Found\r\nLocation: /x\r\n"),
        ]

    private static func redirect(_ status: String, _ place: String) -> String {
        "HTTP/1.1 \(status)\r\nLocation: \(place)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    }

    /// Connections that end abnormally, or never.
    static let endings: [HostileAnswer] = {
        let body = LoopbackResponse.pattern(count: 100_000)
        let slowHead = LoopbackBody.data(Data(String(repeating: "X: y\r\n", count: 500).utf8))
        let drip = LoopbackFault.drip(bytes: 1, every: .milliseconds(100))
        return [
            HostileAnswer("a reset before the body", .failure, body.fault(.reset(after: 0))),
            HostileAnswer("a reset in the body", .failure, body.fault(.reset(after: 50_000))),
            HostileAnswer("a body closed too early", .failure, body.fault(.close(after: 99_999))),
            HostileAnswer("chunks that are closed", .failure, body.chunked().fault(.close(after: 50_000))),
            HostileAnswer("chunks that are reset", .failure, body.chunked().fault(.reset(after: 50_000))),
            HostileAnswer("no answer at all", .failure, body.fault(.silence)),
            HostileAnswer("a body that stops", .failure, body.fault(.stall(after: 50_000))),
            HostileAnswer("chunks that stop", .failure, body.chunked().fault(.stall(after: 50_000))),
            HostileAnswer("a body in drips", .failure, body.fault(drip)),
            HostileAnswer("a body without end", .failure, LoopbackResponse.pattern(count: nil)),
            HostileAnswer(
                "a head in drips", .failure,
                LoopbackResponse.raw(head: "HTTP/1.1 200 OK\r\n", body: slowHead).fault(drip)),
            HostileAnswer(
                "a head that stops", .failure,
                LoopbackResponse.raw(head: "HTTP/1.1 200 OK\r\n", body: slowHead).fault(.stall(after: 12))),
        ]
    }()
}
