import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// The rows of the table in "Loading from the network", a test for each, compared with curl.
    @Suite(
        "fetch: real servers", .timeLimit(.minutes(5)),
        .enabled(
            if: RealServer.nginx != nil && RealServer.openSSL != nil && RealServer.curl != nil,
            "needs nginx, openssl and curl"))
    struct FetchRealServerTests {
        private let folder: TemporaryFolder
        private let server: RealServer

        init() async throws {
            folder = try TemporaryFolder()
            server = try await .nginx(in: folder)
        }

        private var whole: Data {
            get throws { try Data(contentsOf: folder.url.appending(path: "www/a.txt")) }
        }

        private func fetch(_ arguments: String..., environment: [String: String] = [:]) async throws
            -> CommandResult
        {
            try await Command.run(
                ["fetch", "--cacert", "ca.pem", "--retries", "0"] + arguments, environment: environment,
                in: folder.url, as: environment.isEmpty ? .inProcess : .process)
        }

        private func curl(_ arguments: String..., environment: [String: String] = [:]) async throws -> Data {
            try await Command.run(
                ["-s", "--cacert", "ca.pem"] + arguments,
                program: URL(filePath: try #require(RealServer.curl)), environment: environment,
                in: folder.url
            ).data
        }

        private func url(_ path: String, isSecure: Bool = false) -> String {
            server.url(path, port: isSecure ? 1 : 0, scheme: isSecure ? "https" : "http")
        }

        @Test("row 10: HTTP/1.1 without TLS, and HTTP/2 over TLS where the server has it, as with curl")
        func versions() async throws {
            for (isSecure, version) in [(false, "HTTP/1.1"), (true, "HTTP/2.0")] {
                let url = url("/protocol", isSecure: isSecure)
                let own = try await fetch(url)
                #expect(own.output == version, "\(own.errors)")
                #expect(try await curl(url) == own.data)
            }
        }

        @Test(
            "row 10: over HTTP/2 concurrent bodies are complete, one is sent completely, and a refusal is reported"
        )
        func second() async throws {
            let many = (0..<20).map { url("/a.txt?\($0)", isSecure: true) }
            let all = try await Command.run(
                ["fetch", "--cacert", "ca.pem", "--jobs", "20"] + many, in: folder.url)
            let file = try whole
            #expect(all.data == Data((0..<20).flatMap { _ in file }), "\(all.errors)")
            let sent = try await fetch(
                "--method", "PUT", "--data", "@www/a.txt", url("/put/b", isSecure: true))
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(try Data(contentsOf: folder.url.appending(path: "www/put/b")) == whole)
            let refused = try await fetch(url("/refused/", isSecure: true))
            #expect(refused.status == 1 && refused.errors.contains("status 401"), "\(refused.errors)")
        }

        @Test("over HTTP/2 concurrent loads share one connection, also the first ones")
        func streams() async throws {
            let many = (0..<20).map { url("/connection?\($0)", isSecure: true) }
            let all = try await Command.run(
                ["fetch", "--cacert", "ca.pem", "--jobs", "20"] + many, in: folder.url)
            let connections = all.output.split(separator: "\n")
            #expect(connections.count == 20 && Set(connections).count == 1, "\(connections)")
        }

        @Test("row 10: an offer of HTTP/3 is ignored: the answer comes over the current protocol")
        func third() async throws {
            let head = try await curl("-D", "-", "-o", "/dev/null", url("/protocol", isSecure: true))
            #expect(String(decoding: head, as: UTF8.self).lowercased().contains("alt-svc: h3="))
            let twice = url("/protocol", isSecure: true)
            #expect(try await fetch("--jobs", "1", twice, twice).output == "HTTP/2.0HTTP/2.0")
        }

        @Test(
            "row 10: trailers are read and not reported, over HTTP/1.1 and HTTP/2", arguments: [false, true])
        func trailers(isSecure: Bool) async throws {
            let url = url("/trailers/a.txt", isSecure: isSecure)
            let reporting = try await curl("--raw", "-D", "-", url)
            if !isSecure {
                #expect(String(decoding: reporting, as: UTF8.self).hasSuffix("0\r\nX-Trailer: end\r\n\r\n"))
            }
            let own = try await fetch(url)
            #expect(try own.status == 0 && own.data == whole, "\(own.errors)")
            #expect(try await curl(url) == own.data)
        }

        @Test("row 10: compressed bodies are requested and decompressed", arguments: [false, true])
        func packed(isSecure: Bool) async throws {
            let url = url("/packed/a.txt", isSecure: isSecure)
            let own = try await fetch(url)
            #expect(try own.data == whole, "\(own.errors)")
            #expect(try await curl("--compressed", url) == own.data)
        }

        @Test("row 10: Expect: 100-continue is sent if it is asked for, and the body when the server lets it")
        func expected() async throws {
            let header = "Expect: 100-continue"
            let sent = try await fetch(
                "--method", "PUT", "--data", "@www/a.txt", "--header", header, url("/put/c"))
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(try Data(contentsOf: folder.url.appending(path: "www/put/c")) == whole)
            _ = try await curl("-T", "www/a.txt", "-H", header, url("/put/d"))
            #expect(try Data(contentsOf: folder.url.appending(path: "www/put/d")) == whole)
            let refused = try await fetch(
                "--method", "PUT", "--data", "@www/a.txt", "--header", header, url("/refused/"))
            #expect(refused.status == 1 && refused.errors.contains("status 401"), "\(refused.errors)")
        }

        @Test(
            "row 10: the environment's proxy is used with its URL's user and password, unless no_proxy excludes the host"
        )
        func proxies() async throws {
            func proxy(_ user: String) -> [String: String] {
                ["http_proxy": "http://\(user)@127.0.0.1:\(server.ports[2])", "no_proxy": ""]
            }
            let url = url("/protocol")
            // The proxy speaks an older version to the server, by which it can be told.
            let own = try await fetch(url, environment: proxy("user:pa%3Ass"))
            #expect(own.output == "HTTP/1.0", "\(own.errors)")
            #expect(try await curl(url, environment: proxy("user:pa%3Ass")) == own.data)
            let refused = try await fetch(url, environment: proxy("user:wrong"))
            #expect(refused.status == 1 && refused.errors.contains("status 407"), "\(refused.errors)")
            #expect(!refused.errors.contains("wrong"))
            let direct = try await fetch(
                url, environment: proxy("user:wrong").merging(["no_proxy": "127.0.0.1"]) { $1 })
            #expect(direct.output == "HTTP/1.1", "\(direct.errors)")
        }

        @Test(
            "row 10: TLS goes through a proxy's tunnel with user and password; a refused tunnel is reported",
            .enabled(if: RealServer.tinyproxy != nil, "needs tinyproxy"))
        func tunnels() async throws {
            let place = try TemporaryFolder()
            let proxy = try await RealServer.proxy(in: place)
            func environment(_ user: String) -> [String: String] {
                ["https_proxy": "http://\(user)@127.0.0.1:\(proxy.ports[0])", "no_proxy": ""]
            }
            let url = url("/protocol", isSecure: true)
            let own = try await fetch(url, environment: environment("user:pass"))
            #expect(own.output == "HTTP/2.0", "\(own.errors)")
            #expect(try await curl(url, environment: environment("user:pass")) == own.data)
            let refused = try await fetch(url, environment: environment("user:wrong"))
            #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused.errors)")
            #expect(
                refused.errors.contains("CONNECT") && !refused.errors.contains("wrong"), "\(refused.errors)")
        }

        @Test("row 10: file: and data: URLs give their bytes, as curl gives a file's")
        func local() async throws {
            let file = folder.url.appending(path: "www/a.txt").absoluteString
            let own = try await fetch(file)
            #expect(try own.data == whole, "\(own.errors)")
            #expect(try await curl(file) == own.data)
            let texts = [
                "data:,a%20b": "a b", "data:text/plain;base64,aGk=": "hi",
                "data:;charset=utf-8,%C3%A9": "é",
            ]
            for (url, text) in texts { #expect(try await fetch(url).output == text) }
        }
    }
#endif
