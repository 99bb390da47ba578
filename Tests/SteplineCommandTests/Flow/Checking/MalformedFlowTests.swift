import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

/// Invalid workflow files of every kind: each is reported with its place, and the command never crashes.
@Suite("Workflow files: malformed files", .timeLimit(.minutes(5)))
struct MalformedFlowTests {
    private static let good = "{ tasks: { a: { steps: [ { value: 1 } ] } } }"

    /// The bytes of the file, and the beginning of the first message after its name.
    private static let files: [(name: String, bytes: [UInt8], reporting: String)] = [
        ("nothing", [], "1:1: error: the file is empty"),
        ("blanks", Array(" \n\t\r\n".utf8), "1:1: error: the file is empty"),
        ("a comment", Array("// only\n/* this */".utf8), "1:1: error: the file is empty"),
        ("prose", Array("\n\nhello world".utf8), "3:1: error: unknown word \"hello\""),
        ("YAML", Array("tasks:\n  a: 1".utf8), "1:1: error: unknown word \"tasks\""),
        ("UTF-16", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "1:1: error: the file isn't UTF-8"),
        ("a wrong byte", Array("{\n /* ".utf8) + [0xFF], "2:5: error: the file isn't UTF-8"),
        (
            "half a character", Array("{a:\n '".utf8) + [0xC3, 0x28] + Array("'}".utf8),
            "2:3: error: the file isn't UTF-8"
        ),
        (
            "a byte order mark", [0xEF, 0xBB, 0xBF] + Array("{\n taks: {} }".utf8),
            "2:2: error: unknown key \"taks\""
        ),
        ("a zero byte", Array("{\n\0 tasks: {} }".utf8), "2:1: error: expected a key here"),
        ("a number", Array("42".utf8), "1:1: error: a workflow file is an object, not a number"),
        ("a list", Array("\n [1]".utf8), "2:2: error: a workflow file is an object, not a list"),
        ("null", Array("null".utf8), "1:1: error: a workflow file is an object, not null"),
        ("a key twice", Array("{ tasks: {},\n tasks: {} }".utf8), "2:2: error: duplicate key \"tasks\""),
        (
            "a task twice",
            Array("{ tasks: { a: { steps: [ { value: 1 } ] },\n a: { steps: [ { value: 1 } ] } } }".utf8),
            "2:2: error: duplicate key \"a\""
        ),
        ("a trailing brace", Array("\(good)\n}".utf8), "2:1: error: nothing may follow the closing brace"),
        (
            "an open string", Array("{ tasks: { a: { steps: [\n { value: \"x } ] } } }\n".utf8),
            "2:11: error: the string is never closed"
        ),
        ("an open comment", Array("{ tasks:\n /* { } }".utf8), "2:2: error: the comment is never closed"),
        (
            "an open object", Array("{\n tasks: {\n  a: { steps: [ { value: 1 } ] }\n".utf8),
            "2:9: error: the object is never closed"
        ),
        ("half a surrogate", Array("{\n name: '\\ud800' }".utf8), "2:9: error: malformed escape"),
        (
            "CRLF and tabs", Array("{\r\n\ttasks: {\r\n\t\ta: { stps: [] } } }".utf8),
            "3:8: error: unknown key \"stps\""
        ),
        ("CR", Array("{\r tasks: {\r  a: { stps: [] } } }".utf8), "3:8: error: unknown key \"stps\""),
        ("deep lists", Array(("{ tasks:\n " + String(repeating: "[", count: 100_000)).utf8), "2:"),
        ("deep objects", Array(("{ tasks:\n " + String(repeating: "{a:", count: 100_000)).utf8), "2:"),
        (
            "deep brackets",
            Array(
                ("{ tasks: { a: { steps: [\n { transform: '" + String(repeating: "(", count: 100_000)
                    + "' } ] } } }").utf8), "2:48: error: too many brackets"
        ),
        (
            "a long formula",
            Array(
                ("{ tasks: { a: { steps: [\n { transform: '" + String(repeating: "1+", count: 100_000)
                    + "1' } ] } } }").utf8), "2:143: error: the expression is too long"
        ),
        (
            "a number past all", Array("{ concurrency:\n 1e999, tasks: {} }".utf8),
            "2:2: error: concurrency is a whole number, not 1e999"
        ),
        (
            "digits", Array("{ concurrency:\n \(String(repeating: "9", count: 100_000)), tasks: {} }".utf8),
            "2:2: error: concurrency is a whole number, not 99999999999999999999…"
        ),
        (
            "a circle",
            Array(
                "{ tasks: { a: { after: 'b', steps: [ { value: 1 } ] },\n b: { after: 'a', steps: [ { value: 1 } ] } } }"
                    .utf8), "2:14: error: a cycle: \"a\" after \"b\" after \"a\""
        ),
        (
            "a task after itself", Array("{ tasks: {\n a: { after: 'a', steps: [ { value: 1 } ] } } }".utf8),
            "2:14: error: \"a\" after \"a\": a task can't wait for itself"
        ),
        ("no tasks", Array("{\n name: 'x' }".utf8), "1:1: error: there are no tasks"),
    ]

    @Test("check and run report each mistake with its line, and exit with 3", arguments: files.map(\.name))
    func reporting(name: String) async throws {
        let file = try #require(Self.files.first { $0.name == name })
        let flow = try FlowCommandRun()
        try Data(file.bytes).write(to: flow.folder.url.appending(path: "flow.json5"))
        for verb in ["check", "run"] {
            let result = try await flow(verb, "flow.json5")
            #expect(result.status == 3 && !result.wasSignalled)
            let reporting = verb == "check" ? result.output : result.errors
            #expect(reporting.hasPrefix("flow.json5:\(file.reporting)"), "\(verb): \(reporting.prefix(300))")
        }
    }

    @Test("a file that can't be read is a failure that names it, and nothing is run")
    func unreadable() async throws {
        let flow = try FlowCommandRun("[", named: "locked.json5")
        try FileManager.default.createDirectory(
            at: flow.folder.url.appending(path: "folder.json5"), withIntermediateDirectories: true)
        for name in ["huge.json5", "huge.yaml"] {
            try Data(repeating: UInt8(ascii: "["), count: 10_000_000).write(
                to: flow.folder.url.appending(path: name))
        }
        for (name, words) in [
            ("missing.json5", "open failed: No such file"), ("folder.json5", "not a regular file"),
            ("huge.json5", "more than 4194304 bytes"), ("huge.yaml", "more than 4194304 bytes"),
        ] {
            for verb in ["check", "run"] {
                let result = try await flow(verb, name)
                #expect(result.status == 1 && result.output == "")
                #expect(
                    result.complaints.count == 1 && result.errors.contains("\(name): \(words)"),
                    "\(result.errors)")
            }
        }
        // Nothing is locked to the superuser.
        guard geteuid() != 0 else { return }
        let locked = flow.folder.url.appending(path: "locked.json5")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
        let result = try await flow("check", "locked.json5")
        #expect(result.status == 1 && result.errors.contains("locked.json5: open failed: Permission denied"))
    }

    @Test("the time to check a file grows linearly with its length", .soakOnly)
    func time() {
        func findings(_ text: String) -> Int { FlowSource(name: "f", text: text).findings().count }
        let formulas = growth(from: 500) { count in
            let text = String(repeating: "${1} \\n", count: count)
            #expect(findings("{ tasks: { a: { steps: [ { value: \"\(text)\" } ] } } }") == 0)
        }
        #expect(formulas < 30)
        let mistakes = growth(from: 100) { count in
            let tasks = (0..<count).map {
                "task\($0): { after: 'tusk\($0)', steps: [ { transform: 'upper(3)' } ] }"
            }
            #expect(findings("{ tasks: { \(tasks.joined(separator: ", ")) } }") == 2 * count)
        }
        #expect(mistakes < 30)
    }

    @Test("a long cycle is reported with some of its tasks, a long line with an excerpt")
    func long() {
        let tasks = (0..<1000).map { "t\($0): { after: 't\(($0 + 1) % 1000)', steps: [ { value: 1 } ] }" }
        let source = FlowSource(name: "f", text: "{ tasks: { \(tasks.joined(separator: ", ")) } }")
        let found = source.findings()
        #expect(
            found.count == 1 && found[0].utf8.count < 200
                && found[0].contains(#""t5" after … after "t999" after "t0""#))
        let offset = source.bytes.count / 2
        let issue = FlowIssue(.cycle, at: offset, "x")
        let lines = FlowExcerpt(of: issue, in: source, columns: 60, isUnicode: true).lines
        let place = lines[1].count - 1
        let shown = lines[0].dropFirst(place).prefix(5)
        #expect(Array(shown.utf8) == Array(source.bytes[offset..<offset + 5]), "\(lines)")
        let wide = FlowSource(name: "f", text: String(repeating: "é→", count: 3000) + "\rx")
        #expect(wide.place(at: wide.bytes.count - 2) == FlowPlace(line: 1, column: 6001))
        #expect(wide.place(at: wide.bytes.count) == FlowPlace(line: 2, column: 2))
    }
}
