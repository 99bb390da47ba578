import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Revalidation", .timeLimit(.minutes(5)))
struct RevalidationTests {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    private func store(_ kind: String) -> ResponseStore {
        kind == "memory" ? .memory(limit: 1 << 20) : .directory(folder["store"])
    }

    private func load(_ store: ResponseStore, _ headers: [String: String] = [:]) async throws -> Content {
        let step = URLLoadStep(
            request(server.url("/a"), headers: headers), options: options { $0.revalidation = store })
        return try await run(step)
    }

    @Test(
        "PL-86: on 304 the stored body is the output, 200 replaces the entry whole",
        arguments: ["memory", "dir"])
    func revalidates(_ kind: String) async throws {
        let store = store(kind)
        server.route("/a", .text("one").etag("\"v1\"").header("X-A", "1"))
        #expect(try await load(store)[.loadSource] == .network)
        server.route("/a", .text("never sent").etag("\"v1\"").header("X-A", "2"))
        let second = try await load(store)
        #expect(second.bodyData == Data("one".utf8) && second[.loadSource] == .store)
        #expect(second.httpURLResponse?.statusCode == 200)
        #expect(second.httpURLResponse?.value(forHTTPHeaderField: "X-A") == "2")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
        server.route("/a", .text("two").etag("\"v2\""))
        let third = try await load(store)
        #expect(third.bodyData == Data("two".utf8) && third[.loadSource] == .network)
        #expect(try await load(store)[.loadSource] == .store)
        #expect(server.requests.last?["If-None-Match"] == "\"v2\"")
    }

    @Test("PL-86: a header of a 304 replaces the stored one, however the server spells its name now")
    func spelling() async throws {
        let store = ResponseStore.memory()
        server.route("/a", .text("one").etag("\"v1\"").header("x-rate", "old").header("X-KEPT", "kept"))
        _ = try await load(store)
        server.route("/a", .text("never sent").etag("\"v1\"").header("X-Rate", "new"))
        let response = try #require(try await load(store).httpURLResponse)
        let rates = response.allHeaderFields.filter { "\($0.key)".lowercased() == "x-rate" }
        #expect(rates.map { "\($0.value)" } == ["new"])
        #expect(response.value(forHTTPHeaderField: "x-kept") == "kept")
    }

    @Test("PL-86: a date of change is asked with too, and a policy that refuses 304 doesn't matter")
    func date() async throws {
        let store = ResponseStore.memory()
        server.route("/a", .text("one").lastModified(Date(timeIntervalSince1970: 784_111_777)))
        let options = options {
            $0.revalidation = store
            $0.status = .only(200..<300)
        }
        _ = try await run(URLLoadStep(server.url("/a"), options: options))
        let again = try await run(URLLoadStep(server.url("/a"), options: options))
        #expect(again[.loadSource] == .store && again.bodyData == Data("one".utf8))
        #expect(server.requests.last?["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("PL-86: no-store, any version, and what has no validator aren't kept; an old entry goes then")
    func notKept() async throws {
        let store = ResponseStore.memory()
        let kept = LoopbackResponse.text("one").etag("\"v1\"")
        for other in [kept.header("Cache-Control", "no-store"), kept.header("Vary", "*"), .text("x")] {
            server.route("/a", kept)
            _ = try await load(store)
            let before = server.requests.count
            server.route("/a") { _ in other.header("ETag", other.headers["ETag"] == nil ? "" : "\"v9\"") }
            _ = try await load(store)
            #expect(server.requests[before]["If-None-Match"] == "\"v1\"")
            _ = try await load(store)
            #expect(server.requests[before + 1]["If-None-Match"] == nil)
        }
    }

    @Test("PL-86: requests with other credentials, headers or conditions share no entry")
    func apart() async throws {
        let store = ResponseStore.directory(folder["store"])
        server.route("/a") { .text($0["Authorization"] ?? "nobody").etag("\"v1\"") }
        for headers in [[:], ["Authorization": "hush"], ["Cookie": "a=hush"], ["Accept": "text/plain"]] {
            #expect(try await load(store, headers)[.loadSource] == .network)
        }
        #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
        let own = try await load(store, ["If-None-Match": "\"v1\""])
        #expect(own.httpURLResponse?.statusCode == 304 && own[.loadSource] == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder["store"].path) {
            #expect(!name.contains("hush"))
        }
    }

    @Test(
        "PL-86: users with cookie jars of their own share no entry", .overCurl,
        arguments: ["memory", "file"])
    func jars(_ kind: String) async throws {
        let store = ResponseStore.memory()
        server.route("/set") { .text("ok").header("Set-Cookie", "user=\($0.query ?? "")") }
        server.route("/a") { .text($0["Cookie"] ?? "nobody").etag("\"v1\"") }
        func answer(_ path: String, _ jar: CookieJar) async throws -> Content {
            let options = options {
                $0.revalidation = store
                $0.cookies = jar
            }
            return try await run(URLLoadStep(server.url(path), options: options))
        }
        for user in ["x", "y"] {
            let first = kind == "file" ? CookieJar.file(folder[user]) : .memory()
            _ = try await answer("/set?\(user)", first)
            // One that hasn't read its file yet.
            let jar = kind == "file" ? CookieJar.file(folder[user]) : first
            let content = try await answer("/a", jar)
            #expect(content.bodyData == Data("user=\(user)".utf8) && content[.loadSource] == .network)
            #expect(try await answer("/a", jar)[.loadSource] == .store)
        }
    }

    @Test("PL-86: revalidation isn't used where a redirect leads to the URL of its cookies", .overCurl)
    func jarsAfterRedirects() async throws {
        let store = ResponseStore.memory()
        server.route("/set") { .text("ok").header("Set-Cookie", "user=\($0.query ?? ""); Path=/in") }
        server.route("/go", .redirect(to: "/in/a"))
        server.route("/in/a") { .text($0["Cookie"] ?? "nobody").etag("\"v1\"") }
        for user in ["x", "y", "x"] {
            let options = options {
                $0.revalidation = store
                $0.cookies = .memory()
            }
            _ = try await run(URLLoadStep(server.url("/set?\(user)"), options: options))
            let content = try await run(URLLoadStep(server.url("/go"), options: options))
            #expect(content.bodyData == Data("user=\(user)".utf8) && content[.loadSource] == .network)
            let again = try await run(URLLoadStep(server.url("/go"), options: options))
            #expect(again.bodyData == content.bodyData && again[.loadSource] == .store)
        }
    }

    @Test("PL-86: a damaged entry is ignored", arguments: 0..<4)
    func damaged(_ which: Int) async throws {
        let store = ResponseStore.directory(folder["store"])
        server.route("/a", .text("one").etag("\"v1\""))
        _ = try await load(store)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder["store"].path).first)
        let file = folder["store/\(name)"]
        var data = try Data(contentsOf: file)
        switch which {
        case 0: data.removeLast()
        case 1: data[data.count - 1] ^= 1
        case 2: data = Data("garbage\n".utf8)
        default: data = Data()
        }
        try data.write(to: file)
        let again = try await load(store)
        #expect(again[.loadSource] == .network && again.bodyData == Data("one".utf8))
        #expect(try await load(store)[.loadSource] == .store)
    }

    @Test("PL-86: a store that can't be written to fails nothing")
    func unwritable() async throws {
        try Data().write(to: folder["file"])
        let store = ResponseStore.directory(folder["file"])
        server.route("/a", .text("one").etag("\"v1\""))
        for _ in 0..<2 { #expect(try await load(store)[.loadSource] == .network) }
    }

    @Test("PL-86: memory is limited, the oldest go first")
    func limit() async throws {
        let store = ResponseStore.memory(limit: 25)
        for path in ["/1", "/2", "/3", "/big"] {
            let count = path == "/big" ? 26 : 10
            server.route(path, LoopbackResponse.pattern(count: count).etag("\"v1\""))
        }
        func source(_ path: String) async throws -> LoadSource? {
            let step = URLLoadStep(server.url(path), options: options { $0.revalidation = store })
            return try await run(step)[.loadSource]
        }
        for path in ["/1", "/2", "/3", "/big"] { #expect(try await source(path) == .network) }
        #expect(try await source("/big") == .network)
        #expect(try await source("/3") == .store)
        #expect(try await source("/1") == .network)
        #expect(try await source("/2") == .network)
    }

    @Test("PL-86: a download's file stays untouched on 304, and one that was changed is loaded again")
    func download() async throws {
        let store = ResponseStore.memory()
        func download() async throws -> Content {
            var options = DownloadOptions()
            options.revalidation = store
            return try await run(URLDownloadStep(server.url("/a"), to: folder["file"], options: options))
        }
        func inode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder["file"].path)[.systemFileNumber] as? Int
        }
        server.route("/a", .text("one").etag("\"v1\""))
        #expect(try await download()[.loadSource] == .network)
        let first = try inode()
        let again = try await download()
        #expect(again[.loadSource] == .store && again.bodyObject as? URL == folder["file"])
        #expect(try inode() == first && folder.names() == ["file"])
        try Data("changed".utf8).write(to: folder["file"])
        #expect(try await download()[.loadSource] == .network)
        #expect(try Data(contentsOf: folder["file"]) == Data("one".utf8))
        try FileManager.default.removeItem(at: folder["file"])
        #expect(try await download()[.loadSource] == .network)
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\"", nil, nil])
    }
}
