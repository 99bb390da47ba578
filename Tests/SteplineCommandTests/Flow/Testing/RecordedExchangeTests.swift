import Foundation
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Files of recorded exchanges", .timeLimit(.minutes(5)))
struct RecordedExchangeTests {
    private func exchange(_ text: String) throws -> RecordedExchange {
        try RecordedExchange(file: Data(text.utf8))
    }

    @Test("a recorded exchange reads back equal, whatever the bytes of its body")
    func roundTrip() throws {
        var chance = StableRandom(seed: Chance.seed)
        for round in 0..<200 {
            let count = Int.random(in: 0..<60, using: &chance)
            let bytes = Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &chance) })
            var answer = RecordedExchange.Answer()
            if round % 3 != 0 {
                answer.status = Int.random(in: 200..<600, using: &chance)
                answer.headers = [.init("ETag", "\"\(round): x\"", hiding: .init())]
                answer.body = bytes
            }
            if round == 7 { answer.headers = [.init("X", "\u{301}: x", hiding: .init())] }
            if round % 3 == 0 || round % 5 == 0 { answer.failure = .init(code: -1005, text: "lost it") }
            let request = RecordedExchange.Request(
                program: "sort", arguments: ["-r", "a b\n\u{e9}"], environment: ["LC_ALL": "C"],
                input: round % 2 == 0 ? bytes : Data("\u{301}one\n\n\u{301}> two\n".utf8), hiding: .init())
            let written = RecordedExchange(request: request, answer: answer)
            let read = try RecordedExchange(file: written.file)
            #expect(read == written, "seed 18, round \(round)")
            #expect(read.file == written.file, "seed 18, round \(round)")
        }
    }

    @Test("a file is as one would write it by hand; lines may end as on Windows, a status have its words")
    func byHand() throws {
        let read = try exchange(
            "POST https://example.com/orders?x=1\r\nAccept: a/b\r\n> {\"n\": 1}\r\n> \r\n>\r\n\r\n"
                + "201 Created\r\nLocation: /orders/7\r\n\r\n{\r\n}")
        #expect(read.request.line == "POST https://example.com/orders?x=1")
        #expect(read.request.body == .text("{\"n\": 1}\n\n"))
        #expect(read.answer.status == 201 && read.answer.headers.map(\.value) == ["/orders/7"])
        #expect(read.answer.body == Data("{\r\n}".utf8) && read.answer.failure == nil)
        let failed = try exchange("GET http://localhost/\n\n! -1004 no connection\n\n")
        #expect(failed.answer.status == nil && failed.answer.failure?.code == -1004)
    }

    @Test(
        "cut or mistyped lines are reported with their number",
        arguments: [
            ("", 1, "the line of a request"), ("GET\n", 1, "METHOD URL"),
            ("GET http://a/\n", 2, "the answer is missing"),
            ("GET http://a/\nAccept\n\n200\n\n", 2, "NAME: VALUE"),
            ("GET http://a/\n\nfine\n\n", 3, "its status"), ("GET http://a/\n\n200\n", 4, "empty line"),
            ("GET http://a/\n\n! soon\n\n", 3, "! CODE TEXT"),
            ("GET http://a/\n>sha256 abc\n\n200\n\n", 2, ">sha256 DIGITS COUNT"),
            ("GET http://a/\n\n200\nETag\n\n", 4, "NAME: VALUE"),
        ])
    func mistakes(_ text: String, _ line: Int, _ words: String) throws {
        let mistake = #expect(throws: RecordedExchange.Mistake.self) { try exchange(text) }
        #expect(
            mistake?.line == line && mistake?.text.contains(words) == true, "\(String(describing: mistake))")
    }

    @Test("a file's name tells what was asked; what asks something else has another")
    func names() {
        func name(_ arguments: [String], _ input: String = "") -> String {
            RecordedExchange.Request(
                program: "../bin/sort", arguments: arguments, environment: [:], input: Data(input.utf8),
                hiding: .init()
            ).fileName
        }
        #expect(name(["-r"]).hasPrefix("run-bin-sort-r-"))
        #expect(Set([name(["-r"]), name(["-n"]), name(["-r"], "x"), name(["-", "r"])]).count == 4)
        #expect(name(["-r"]) == name(["-r"]))
        #expect(name([String(repeating: "long", count: 100)]).utf8.count < 80)
    }

    @Test("of what differs, the first line is shown, around the place at which it does")
    func differences() throws {
        func difference(_ expected: String, _ made: String) -> [String]? {
            FirstDifference(expected: Data(expected.utf8), made: Data(made.utf8)).map {
                [$0.place] + $0.lines
            }
        }
        let texts: [(expected: String, made: String, shown: [String]?)] = [
            ("a\nb", "a\nb", nil), ("a\nb\n", "a\nc\n", ["line 2", "  a", "- b", "+ c"]),
            ("a\n", "a", ["line 2", "  a", "- ", "+ (the end)"]),
            ("a\r\n", "a\n", ["line 1", "- a\\r", "+ a"]),
        ]
        for (expected, made, shown) in texts { #expect(difference(expected, made) == shown) }
        let long = String(repeating: "x", count: 500)
        let shown = try #require(difference(long + "1" + long, long + "2" + long))
        #expect(shown[1].contains("x1x") && shown[2].contains("x2x") && shown.allSatisfy { $0.count < 80 })
        let binary = FirstDifference(expected: Data([1, 0xFF, 3]), made: Data([1, 0xFF, 4, 5]))
        #expect(binary?.place == "byte 2" && binary?.lines == ["- 3 bytes", "+ 4 bytes"])
    }
}
