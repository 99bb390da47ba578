import Foundation
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

/// Where `stepline fetch` writes.
@Suite("fetch: output", .timeLimit(.minutes(5)))
struct FetchTargetTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        server.route("/a.txt", .text("A"))
        server.route("/b/a.txt", .text("B"))
        server.route("/list", .text("[1,2]", type: "application/json"))
    }

    private func fetch(_ words: String..., input: String = "") async throws -> CommandResult {
        try await Command.run(["fetch"] + words, input: Data(input.utf8), in: folder.url)
    }

    private func address(_ path: String) -> String { server.url(path).absoluteString }

    @Test("one URL goes into a file, whose missing folders are made, and nothing goes to stdout")
    func file() async throws {
        let result = try await fetch(address("/a.txt"), "-o", "deep/er/file")
        #expect(result.status == 0 && result.data.isEmpty && result.errors.isEmpty)
        #expect(try folder.text("deep/er/file") == "A")
        #expect(try folder.names(in: "deep/er") == ["file"])
        #expect(try await fetch(address("/list"), "-o", "list", "-f", "jsonl").status == 0)
        #expect(try folder.text("list") == "1\n2\n")
    }

    @Test("many bodies are saved in a folder under different names, formatted ones with an extension")
    func folders() async throws {
        let result = try await fetch(address("/a.txt"), address("/b/a.txt"), "--out", "all/")
        #expect(result.status == 0)
        #expect(try folder.text("all/a.txt") == "A")
        #expect(try folder.text("all/a-2.txt") == "B")
        #expect(try await fetch(address("/list"), "--out", "all", "-f", "json").status == 0)
        #expect(try folder.names(in: "all") == ["a-2.txt", "a.txt", "list.json"])
    }

    @Test(
        "names from URLs never lead out of the folder, are hidden, or occur twice",
        arguments: [
            ("http://h/a/..%2F..%2Fetc", "etc"), ("http://h/.bashrc", "bashrc"), ("http://h/", "h"),
            ("http://h/x%00y%0Az", "x-y-z"), ("http://h/c%3A%5Cd", "c--d"), ("http://h/é", "é"),
            ("http://h/--help", "help"), ("http://h/..", "h"), ("data:,x", "x"),
        ])
    func names(url: String, name: String) throws {
        var names = FetchNames()
        let place = try #require(URL(string: url))
        let found = names.name(for: place, ending: nil)
        #expect(!found.contains("/") && !found.hasPrefix(".") && !found.isEmpty)
        #expect(found == name || url.hasPrefix("data:"))
        #expect(names.name(for: place, ending: nil) != found)
    }

    @Test("names that differ only in case get different names, and long ones are cut")
    func equalNames() throws {
        var names = FetchNames()
        let urls = try ["http://h/A.txt", "http://h/a.txt", "http://h/a-2.txt"].map {
            try #require(URL(string: $0))
        }
        #expect(urls.map { names.name(for: $0, ending: nil) } == ["A.txt", "a-2.txt", "a-2-2.txt"])
        let long = try #require(URL(string: "http://h/" + String(repeating: "é", count: 500)))
        #expect(names.name(for: long, ending: "json").utf8.count <= 205)
    }

    @Test(
        "a list gives URLs, by file and by stdin, blank lines and comments aside; its order is the output's")
    func lists() async throws {
        // The first to be asked for is the last to be answered.
        let gate = Gate()
        server.route("/slow") { _ in
            gate.block()
            return .text("S")
        }
        server.route("/fast") { _ in
            gate.open()
            return .text("F")
        }
        let list = "# urls\n\n\(address("/slow"))\r\n  \(address("/fast"))  \n"
        try Data((address("/a.txt") + "\n").utf8).write(to: folder.url.appending(path: "more"))
        let result = try await fetch(address("/b/a.txt"), "-i", "-", "--input", "more", input: list)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "BSFA")
        let bad = try await fetch("-i", "-", input: "http://x/\nftp://x/\n")
        #expect(bad.status == 2 && bad.errors.contains("-, line 2: 'ftp://x/' is no URL"))
        #expect(try await fetch("-i", "-", input: "\n").status == 0)
    }

    @Test("a reader that goes away ends the run quietly, with exit code 141, and stops the transfers")
    func brokenPipe() async throws {
        server.route("/long", .pattern(count: 8 << 20))
        let command = try Command.executable().path
        let script = """
            '\(command)' fetch --jobs 2 \(Array(repeating: address("/long"), count: 20).joined(separator: " ")) | head -c 3
            echo "${PIPESTATUS[0]}"
            """
        let result = try await Command.run(["-c", script], program: URL(filePath: "/bin/bash"))
        #expect(result.data.suffix(4) == Data("141\n".utf8))
        #expect(result.errors.isEmpty)
        #expect(server.requests.count < 20)
    }

    @Test("row 15: a large body is written while it arrives")
    func streaming() async throws {
        let gate = Gate()
        server.route("/large", .pattern(count: 3_000_000).fault(.hold(after: 2_000_000, gate)))
        let command = try Command.executable().path
        let script = """
            exec 3< <('\(command)' fetch --idle-timeout 20s '\(address("/large"))' 2>/dev/null)
            head -c 1500000 <&3 | wc -c
            """
        let result = try await Command.run(["-c", script], program: URL(filePath: "/bin/bash"))
        #expect(result.output.trimmingCharacters(in: .whitespaces) == "1500000\n")
        gate.open()
    }

    @Test("row 15: a body that is cut off is loaded again as long as nothing of it is written")
    func streamingAgain() async throws {
        let whole = LoopbackResponse.pattern(count: 3_000_000)
        server.route("/early", inTurn: [whole.fault(.reset(after: 500_000)), whole])
        let early = try await fetch(address("/early"), "--retry-wait", "1ms")
        #expect(early.status == 0 && early.data == pattern(3_000_000))
        // A mebibyte waits for the reader at most, so more than one is written before the server is silent.
        let gate = Gate()
        server.route("/late", .pattern(count: 4_000_000).fault(.hold(after: 3_000_000, gate)))
        let late = try await fetch(address("/late"), address("/b/a.txt"), "--idle-timeout", "300ms")
        gate.open()
        #expect(late.status == 1 && late.complaints.count == 1)
        #expect(late.errors.contains("/late: ") && late.errors.contains("; a part of the body was written"))
        #expect(server.requests.filter { $0.path == "/late" }.count == 1)
        #expect(late.data.count > 1 << 20 && late.data.last == UInt8(ascii: "B"))
    }

    private static var redirections: [(String, String)] {
        // macOS has no device that is always full.
        let full = [("> /dev/full", "No space left on device")]
        return [(">&-", "Bad file descriptor")] + (access("/dev/full", W_OK) == 0 ? full : [])
    }

    @Test(
        "unwritable output is reported once, with exit code 1; no other file gets a closed stream's number",
        arguments: redirections)
    func unwritableOutput(redirection: String, cause: String) async throws {
        let words = "fetch \(address("/a.txt")) \(address("/b/a.txt")) \(redirection)"
        let command = try Command.executable().path
        let result = try await Command.run(
            ["-c", "'\(command)' " + words], program: URL(filePath: "/bin/bash"))
        #expect(result.status == 1)
        #expect(result.complaints == ["stepline: stdout can't be written: \(cause)"])
        let help = try await Command.run(
            ["-c", "'\(command)' --help \(redirection)"], program: URL(filePath: "/bin/bash"))
        #expect(help.status == 1 && help.complaints == result.complaints)
    }

    @Test("with --resume a received part is kept, and the next run requests only the rest")
    func resuming() async throws {
        let whole = LoopbackResponse.pattern(count: 3_000_000).etag("\"v\"").servingRanges()
        server.route("/big", inTurn: [whole.fault(.reset(after: 2_000_000)), whole])
        let first = try await fetch(address("/big"), "-o", "big", "--resume", "--retries", "0")
        #expect(first.status == 1)
        #expect(try !folder.names().contains("big"))
        #expect(try !folder.names().isEmpty)
        let second = try await fetch(address("/big"), "-o", "big", "-C")
        #expect(second.status == 0, "\(second.errors)")
        #expect(server.requests.last?["Range"]?.hasPrefix("bytes=") == true)
        let data = try Data(contentsOf: folder.url.appending(path: "big"))
        #expect(data.count == 3_000_000 && data == pattern(3_000_000))
        #expect(try folder.names() == ["big"])
    }

    @Test("without --resume a failure leaves the old file, and no part")
    func atomicity() async throws {
        server.route("/cut", .pattern(count: 3_000_000).fault(.reset(after: 2_000_000)))
        try Data("old".utf8).write(to: folder.url.appending(path: "f"))
        #expect(try await fetch(address("/cut"), "-o", "f", "--retries", "0").status == 1)
        #expect(try folder.text("f") == "old")
        #expect(try folder.names() == ["f"])
    }

    @Test("an unwritable file is reported with its path and exit code 1")
    func unwritable() async throws {
        try Data().write(to: folder.url.appending(path: "file"))
        let result = try await fetch(address("/a.txt"), "-o", "file/below")
        #expect(result.status == 1)
        #expect(result.complaints.count == 1 && result.errors.contains("file"))
    }

    @Test(
        "fetch overwrites none of the files that it reads or keeps, not even through a link",
        arguments: [
            ["-i", "urls", "-o", "urls"], ["-i", "urls", "-o", "link"], ["-i", "urls", "--out", "."],
            ["-i", "urls", "--cookies", "urls"], ["-i", "urls", "--cookies", "link"],
            ["-i", "urls", "--cookies", "notes"], ["-i", "urls", "--report", "out", "-o", "out"],
            ["-i", "urls", "--cookies", "jar", "-o", "jar"], ["-i", "urls", "-d", "@notes", "-o", "notes"],
        ])
    func ownInput(words: [String]) async throws {
        server.route("/urls", .text("no list"))
        let list = address("/urls") + "\n"
        try Data(list.utf8).write(to: folder.url.appending(path: "urls"))
        try Data("# mine\nnotes\n".utf8).write(to: folder.url.appending(path: "notes"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "link").path, withDestinationPath: "urls")
        let refused = try await Command.run(["fetch"] + words, in: folder.url)
        #expect(refused.status == 2 && refused.complaints.count == 1)
        #expect(server.requests.isEmpty)
        #expect(try folder.names() == ["link", "notes", "urls"])
        #expect(try folder.text("urls") == list && folder.text("notes") == "# mine\nnotes\n")
    }
}
