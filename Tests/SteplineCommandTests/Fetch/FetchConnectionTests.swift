import Foundation
import SteplineTesting
import TestSupport
import Testing

@Suite("fetch: connections", .timeLimit(.minutes(5)))
struct FetchConnectionTests {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    @Test("--cookies keeps cookies from run to run in a file of the user's alone; without it none are kept")
    func cookies() async throws {
        server.route("/set", LoopbackResponse.text("set").header("Set-Cookie", "a=1; Max-Age=1000; Path=/"))
        server.route("/get", .text("get"))
        let (set, get) = (server.url("/set").absoluteString, server.url("/get").absoluteString)
        for more in [[], ["--cookies", "jar.txt"]] {
            #expect(try await Command.run(["fetch", set] + more, in: folder.url, as: .process).status == 0)
            #expect(try await Command.run(["fetch", get] + more, in: folder.url, as: .process).status == 0)
        }
        #expect(server.requests.map { $0["Cookie"] } == [nil, nil, nil, "a=1"])
        #expect(try folder.names() == ["jar.txt"])
        let jar = folder.url.appending(path: "jar.txt").path
        #expect(try FileManager.default.attributesOfItem(atPath: jar)[.posixPermissions] as? Int == 0o600)
        // Not a file that can be read: an error of the URL's, and no other.
        let result = try await Command.run(["fetch", get, "--cookies", "."], in: folder.url)
        #expect(result.status == 1 && result.complaints.count == 1)
    }

    @Test(
        "--cache keeps answers from run to run, asks when they are old, and forgets what a POST has changed")
    func cache() async throws {
        server.route("/fresh") { _ in
            LoopbackResponse.text("fresh").header("Cache-Control", "max-age=1000").etag("\"1\"")
        }
        server.route("/old") { _ in
            LoopbackResponse.text("old").header("Cache-Control", "no-cache").etag("\"2\"")
        }
        let urls = ["/fresh", "/old"].map { server.url($0).absoluteString }
        func fetch(_ arguments: [String]) async throws -> String {
            let result = try await Command.run(
                ["fetch", "--cache", "kept", "--jobs", "1"] + arguments, in: folder.url, as: .process)
            #expect(result.status == 0, "\(result.errors)")
            return result.output
        }
        #expect(try await fetch(urls) == "freshold" && server.requests.count == 2)
        #expect(try await fetch(urls) == "freshold")
        #expect(server.requests.map(\.path) == ["/fresh", "/old", "/old"])
        #expect(server.requests.last?["If-None-Match"] == "\"2\"")
        // To a file as well.
        _ = try await fetch([urls[0], "--out", "file"])
        #expect(try folder.text("file") == "fresh" && server.requests.count == 3)
        _ = try await fetch([urls[0], "--data", "x"])
        #expect(try await fetch([urls[0]]) == "fresh" && server.requests.count == 5)
        let kept = try folder.names(in: "kept")
        #expect(kept.count == 2 && kept.allSatisfy { $0.hasSuffix(".cached") })
        for name in kept {
            let path = folder.url.appending(path: "kept/\(name)").path
            #expect(
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("--jobs bounds how many go to one host at once, and --rate how many a second")
    func limits() async throws {
        let gate = Gate()
        server.route("/a", LoopbackResponse.text("a").fault(.hold(after: 0, gate)))
        let urls = (0..<24).map { _ in server.url("/a").absoluteString }
        async let result = Command.run(["fetch", "--jobs", "12"] + urls)
        await server.waitForRequests(12)
        // Twelve are held: a thirteenth can't begin before the gate opens.
        #expect(server.openConnections == 12)
        gate.open()
        #expect(try await result.output == String(repeating: "a", count: 24))
        let began = ContinuousClock.now
        let polite = try await Command.run(["fetch", "--rate", "20"] + urls.prefix(5))
        #expect(polite.status == 0 && ContinuousClock.now - began >= .milliseconds(200))
        #expect(try await Command.run(["fetch", "--rate", "0", urls[0]]).status == 2)
    }

    @Test("a libcurl that can't be used is named, with what is missing, and nothing is loaded by other means")
    func library() async throws {
        server.route("/a", .text("a"))
        let url = server.url("/a").absoluteString
        let none = try await Command.run(
            ["fetch", url], environment: ["STEPLINE_LIBCURL": "/nowhere/libcurl.so"], as: .process)
        #expect(none.status == 1 && none.errors.contains("libcurl 7.68 or later is needed"), "\(none.errors)")
        #expect(none.errors.contains("/nowhere/libcurl.so") && server.requests.isEmpty)
    }

    @Test(
        "a libcurl that is too old, or lacks a function, is named with its version",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cc"), "needs a C compiler"))
    func oldLibrary() async throws {
        let source = """
            struct version { int age; const char *text; unsigned int number; };
            static struct version own = {0, "7.50.1", NUMBER};
            void *curl_version_info(int age) { return &own; }
            """
        try Data(source.utf8).write(to: folder.url.appending(path: "old.c"))
        let cases = [("0x073201", "is of version 7.50.1"), ("0x075000", "has no curl_")]
        for (number, text) in cases {
            let made = try await Command.run(
                ["-shared", "-fPIC", "-DNUMBER=\(number)", "-o", "libold.so", "old.c"],
                program: URL(filePath: "/usr/bin/cc"), in: folder.url)
            #expect(made.status == 0, "\(made.errors)")
            let path = folder.url.appending(path: "libold.so").path
            let result = try await Command.run(
                ["fetch", server.url("/a").absoluteString], environment: ["STEPLINE_LIBCURL": path],
                as: .process)
            #expect(result.status == 1 && result.errors.contains(text), "\(result.errors)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("authorities that can't be read are an error of the URL's")
    func authorities() async throws {
        let result = try await Command.run(
            ["fetch", "https://127.0.0.1:1/", "--cacert", "none.pem", "--retries", "0"], in: folder.url)
        #expect(result.status == 1 && result.complaints.count == 1)
    }
}
