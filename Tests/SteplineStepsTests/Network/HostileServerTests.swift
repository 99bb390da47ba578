import Foundation
import Stepline
import SteplineRequests
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    /// Hostile answers of servers; most end a process that loads them by Foundation's URLSession.
    @Suite(
        "Hostile servers", .timeLimit(.minutes(5)), .enabled(if: isOverCurl, "URLSession ends the process"))
    struct HostileServerTests {
        let server: LoopbackServer

        init() throws { server = try LoopbackServer() }

        private func error(_ response: LoopbackResponse) async -> RequestError? {
            server.route("/hostile/x", response)
            return await requestError(URLLoadStep(server.url("/hostile/x")))
        }

        @Test(
            "PL-81: a connection that ends within the head is lost, and may be tried again",
            arguments: [
                "HTTP/1.1", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "",
            ])
        func endsInHead(_ head: String) async throws {
            let error = try #require(await error(.raw(head: head)))
            #expect(error.code == .connection && error.response == nil)
            let cause = (error.underlying as? URLError)?.code
            #expect(cause == .networkConnectionLost || cause == .badServerResponse)
            if head.contains("\r\n") { #expect(error.isTransient) }
        }

        @Test(
            "PL-81: garbage for a status line is a bad response",
            arguments: [
                "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 99 x\r\n\r\n", "HTTP/1.1 -20 x\r\n\r\n",
                "HTTP/9.9 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "\0\0\0\0\r\n\r\n",
                "HTTP/1.1  \r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "<html></html>", "\r\n\r\n\r\n",
            ])
        func garbage(_ head: String) async throws {
            let error = try #require(await error(.raw(head: head)))
            #expect(error.code == .connection && error.underlying is URLError)
        }

        @Test(
            "PL-81: a head that isn't HTTP's is a bad response",
            arguments: [
                "X: a\0b", "X\0: a", "no colon", ": no name", "X: a\rb", " : continues nothing",
                "Content-Length: 5\r\nContent-Length: 6", "Content-Length: -5", "Content-Length: five",
                "Content-Length: 99999999999999999999999", "Transfer-Encoding: chunked\r\nX: \0",
            ])
        func badHeads(_ lines: String) async throws {
            let error = try #require(await error(.raw(head: "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nhello")))
            #expect(error.code == .connection || error.code == .tooLarge, "\(error)")
        }

        @Test("PL-81: a head that begins by continuing a header of the answer before is a bad response")
        func folded() async throws {
            server.route(
                "/first", .raw(head: "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 90))\r\n\r\n"))
            for _ in 0..<20 {
                _ = try await run(URLLoadStep(server.url("/first")))
                let error = try #require(await error(.raw(head: "HTTP/1.1 200 OK\r\n more\r\n\r\n")))
                #expect(error.code == .connection)
            }
        }

        @Test("PL-80, PL-81: a head without end is a bad response, of one line or of many")
        func giants() async throws {
            let line = String(repeating: "x", count: 200_000)
            let lines = (0..<40_000).map { "X-\($0): y\r\n" }.joined()
            let interims = String(repeating: "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n", count: 20_000)
            for head in [
                "HTTP/1.1 200 OK\r\nX: \(line)\r\n\r\n", "HTTP/1.1 200 OK\r\n\(lines)\r\n", interims,
            ] {
                let error = try #require(await error(.raw(head: head)))
                #expect(error.code == .connection && error.underlying is URLError)
            }
            let endless = LoopbackResponse.raw(
                head: "HTTP/1.1 200 OK\r\nX: ", body: .data(Data(repeating: 65, count: 8 << 20)))
            #expect(await self.error(endless)?.code == .connection)
        }

        @Test("PL-81: chunks and packed bodies that are none are errors, never a short success")
        func badBodies() async throws {
            for chunk in [
                "zz\r\nhello\r\n", "ffffffffffffffffffff\r\nhello", "5\r\nhelloworld", "-1\r\n", "5",
            ] {
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                let error = try #require(await error(.raw(head: head + chunk)))
                #expect(error.code == .connection || error.code == .truncated, "\(chunk): \(error)")
            }
            for encoding in ["gzip", "deflate", "gzip, gzip", "br"] {
                let packed = LoopbackResponse.text("this isn't packed at all").header(
                    "Content-Encoding", encoding)
                #expect(await error(packed)?.code == .connection, "\(encoding)")
            }
        }

        @Test(
            "PL-73: odd headers are no harm",
            arguments: [
                "Set-Cookie: a😀é=1; path=😀", "Set-Cookie: =; =; ;;=", "Set-Cookie: \u{301}\u{301}=\u{301}",
                "Content-Type: \"\\", "Content-Type: ;;;=;\"", "Content-Type: 😀;charset=😀",
                "Content-Disposition: attachment; filename=\"/../../\\\"", "Location: ", "X:", "X: é",
                "Content-Encoding: identity", "Connection: 😀", "Keep-Alive: timeout=-1",
                "WWW-Authenticate: x",
                "Date: never", "Transfer-Encoding: identity",
            ])
        func oddHeaders(_ line: String) async throws {
            server.route("/odd/x", .raw(head: "HTTP/1.1 200 OK\r\n\(line)\r\n\r\nhello"))
            let content = try await run(URLLoadStep(server.url("/odd/x")))
            #expect(content.bodyData == Data("hello".utf8))
            #expect(content.httpURLResponse?.statusCode == 200)
        }

        @Test("PL-73: a header that isn't UTF-8 is read as ISO 8859-1")
        func latinHeader() async throws {
            let head = Data("HTTP/1.1 200 OK\r\nX-City: K".utf8) + Data([0xF8]) + Data("benhavn\r\n\r\n".utf8)
            server.route("/odd/x", .raw(head: head))
            let content = try await run(URLLoadStep(server.url("/odd/x")))
            #expect(content.httpURLResponse?.value(forHTTPHeaderField: "x-city") == "København")
        }

        @Test(
            "PL-79: a Location that is no place is the response or refused, and followed nowhere",
            arguments: [
                "http://[::1", "http://%zz/", "//", "///", "http:///x", "http://a b/",
                "http://127.0.0.1:99999/",
                "http://127.0.0.1:-1/", "//[", "http://user@", "http:", ":", "http://\u{202e}/", "?%", "%",
                "http://127.0.0.1\\@127.0.0.2/", "\u{7f}", "//:80", "http://:80/", "http://[v1.x]/",
                "http://127.0.0.1%00.0.0.1/", "mailto:x", "\\\\x\\y",
                String(repeating: "/", count: 20_000),
            ])
        func badLocations(_ place: String) async throws {
            server.route("/from", .raw(head: "HTTP/1.1 302 Found\r\nLocation: \(place)\r\n\r\nmoved"))
            do {
                let content = try await run(
                    URLLoadStep(server.url("/from"), options: options { $0.status = .any }))
                let status = try #require(content.httpURLResponse?.statusCode)
                #expect(status == 302 || status == 404)
            } catch let error as PipelineError {
                let code = error.underlying(as: RequestError.self)?.code
                let known: [RequestError.Code] = [.redirectRefused, .connection, .badURL, .tooManyRedirects]
                #expect(code.map(known.contains) == true)
            }
        }

        @Test("PL-79: a redirect whose body has no end is followed all the same")
        func endlessRedirect() async throws {
            let moved = LoopbackResponse(
                status: 302, headers: ["Location": "/end"], body: .pattern(count: nil)
            ).chunked()
            server.route("/from", moved)
            server.route("/end", .text("end"))
            let content = try await run(URLLoadStep(server.url("/from")))
            #expect(content.bodyData == Data("end".utf8))
            await server.waitForClosedConnections()
        }

        @Test("PL-82: a peer that sends without a pause doesn't hold up others, nor being cancelled")
        func flood() async throws {
            server.route("/flood", .pattern(count: nil))
            server.route("/a", .text("a"))
            let endless = URLChunks(server.url("/flood"), options: options { $0.sizeLimit = .max })
            var chunks = endless.makeAsyncIterator()
            #expect(try await chunks.next()?.isEmpty == false)
            #expect(try await run(URLLoadStep(server.url("/a"))).bodyData == Data("a".utf8))
        }

        @Test("PL-81: heads with bytes that a seed has changed all end, in success or in a typed error")
        func changedHeads() async throws {
            var random = StableRandom(seed: Chance.seed)
            let whole = Data(
                """
                HTTP/1.1 302 Found\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\
                Set-Cookie: a=b; Path=/x; Max-Age=0; Expires=Sun, 06 Nov 1994 08:49:37 GMT\r\n\
                Content-Disposition: attachment; filename="a.txt"\r\nLocation: /end?a=b#c\r\n\
                Content-Encoding: identity\r\nConnection: close\r\n\r\nhello
                """.utf8)
            server.route("/end", .text("end"))
            let limits = options {
                // No changed host is asked for by its name.
                $0.redirects = .followWithinOrigin(limit: 1)
                $0.status = .any
            }
            for _ in 0..<250 {
                var head = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<head.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: head[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: head.removeSubrange(place..<min(place + 9, head.count))
                    case 2: head.insert(contentsOf: [UInt8](repeating: head[place], count: 40), at: place)
                    default: head.removeSubrange(place...)
                    }
                    if head.isEmpty { head = whole }
                }
                let (changed, url) = (head, server.url("/hostile/x"))
                server.route("/hostile/x", .raw(head: changed))
                do {
                    _ = try await run(URLLoadStep(url, options: limits))
                } catch {
                    let known = (error as? PipelineError)?.underlying(as: RequestError.self)
                    #expect(known != nil, "\(String(decoding: changed, as: UTF8.self)): \(error)")
                }
            }
            #expect(server.requests.count >= 250)
        }
    }
#endif
