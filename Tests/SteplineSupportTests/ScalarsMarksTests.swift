import SteplineSupport
import TestSupport
import Testing

/// Signs of paths, quotes and lines among marks that join them to their neighbours in Swift's view of the text.
@Suite("Text by its scalars, among marks", .timeLimit(.minutes(5)))
struct ScalarsMarksTests {
    /// Marks that Swift joins to the sign before or behind them.
    private static let marks = [
        "\u{301}", "\u{308}\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{600}", "\u{93E}", "\u{1F3FD}",
        "\u{E0020}",
    ]
    private static let signs = ["/", "\\", "\"", "'", "~", "=", "&", ".", "$", "`", "\n", "\r\n", ";"]

    private func exact(_ texts: [String]) -> [ExactText] { texts.map { ExactText($0) } }

    @Test("a sign is found behind and before any mark", arguments: signs)
    func amongMarks(sign: String) throws {
        for mark in Self.marks {
            let text = "a\(mark)\(sign)\(mark)b"
            #expect(text.holds(sign), "\(mark.unicodeScalars)")
            #expect(
                exact(text.parts(between: sign)) == exact(["a\(mark)", "\(mark)b"]), "\(mark.unicodeScalars)")
            #expect(ExactText(text.rewriting(sign, as: "<>")) == ExactText("a\(mark)<>\(mark)b"))
            #expect("\(sign)\(mark)".begins(with: sign) && "\(mark)\(sign)".ends(with: sign))
            #expect(("\(sign)\(mark)b".after(sign)).map { ExactText($0) } == ExactText("\(mark)b"))
            guard sign.unicodeScalars.count == 1, let scalar = sign.unicodeScalars.first else { continue }
            let halves = try #require(text.halves(at: scalar))
            #expect(exact([halves.before, halves.after]) == exact(["a\(mark)", "\(mark)b"]))
            let doubled = text.rewriting { $0 == scalar ? sign + sign : nil }
            #expect(ExactText(doubled) == ExactText("a\(mark)\(sign)\(sign)\(mark)b"))
        }
    }

    @Test("a mark alone is a part like any other")
    func marksAlone() {
        for mark in Self.marks {
            let text = "/\(mark)/"
            #expect(text.holds(mark) && exact(text.parts(between: mark)) == exact(["/", "/"]))
            #expect(
                text.rewriting(mark, as: "") == "//" && !text.begins(with: mark) && mark.begins(with: mark))
        }
    }

    @Test("texts of equal looks but other scalars are not found in each other")
    func looks() {
        for (one, other) in [
            ("\u{E9}", "e\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{AC00}", "\u{1100}\u{1161}"),
        ] {
            #expect(one == other, "Swift holds both for equal")
            #expect(
                !one.holds(other) && !other.holds(one) && !one.begins(with: other) && !one.ends(with: other))
            #expect(one.after(other) == nil && exact(one.parts(between: other)) == exact([one]))
            #expect(ExactText("x\(one)".rewriting(other, as: "")) == ExactText("x\(one)"))
        }
        #expect(Set(exact(["e\u{301}", "\u{E9}"])).count == 2 && ExactText("a") < ExactText("b"))
    }

    @Test("a part of a scalar's bytes is not found")
    func bytes() {
        // Both end in the same byte, AC.
        #expect(!"\u{20AC}".holds("\u{AC}") && "\u{20AC}".parts(between: "\u{AC}").count == 1)
        #expect(!"\u{1F600}".ends(with: "\u{600}"))
    }

    @Test("nothing is found in a shorter text, and an empty part everywhere")
    func empty() {
        #expect(
            "".holds("") && !"".holds("a") && "".begins(with: "") && "".ends(with: "")
                && !"".begins(with: "a"))
        #expect(!"x".begins(with: "xy") && !"x".ends(with: "yx") && "a".halves(at: "=") == nil)
        #expect("".after("") == "" && "".after("a") == nil && "".halves(at: "=") == nil)
        #expect(
            "".rewriting("a", as: "b") == "" && "".rewriting { _ in "b" } == ""
                && "ab".rewriting("", as: "x") == "ab")
        let halves = "=".halves(at: "=")
        #expect(halves?.before == "" && halves?.after == "")
    }

    @Test("rewriting drops, doubles and keeps scalars")
    func rewriting() {
        #expect(
            "a-b-c".rewriting { $0 == "-" ? "" : nil } == "abc" && "aba".rewriting("a", as: "aa") == "aabaa")
        #expect("aaa".rewriting("aa", as: "b") == "ba" && "a".rewriting("a", as: "a") == "a")
        #expect(
            "\u{1F468}\u{200D}\u{1F469}".rewriting { $0 == "\u{200D}" ? " " : nil } == "\u{1F468} \u{1F469}")
    }

    @Test("a part of another text is searched like a whole one")
    func substrings() {
        let text = "xx/\u{301}a/b=c=dxx".dropFirst(2).dropLast(2)
        #expect(text.begins(with: "/") && text.ends(with: "d") && text.holds("a/b") && !text.holds("x"))
        #expect(text.parts(between: "=") == ["/\u{301}a/b", "c", "d"])
        #expect(text.after("/") == "\u{301}a/b=c=d" && text.rewriting("=", as: "") == "/\u{301}a/bcd")
        let halves = text.halves(at: "=")
        #expect(halves?.before == "/\u{301}a/b" && halves?.after == "c=d")
    }

    @Test("parts joined again are the text, and rewriting is joining, for any texts")
    func model() {
        var random = StableRandom(seed: Chance.seed)
        let pieces = ["/", "//", "a", "\u{301}", "\u{E9}", "e\u{301}", "\r", "\n", "\u{200D}", "\"", ""]
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }.joined()
        }
        for round in 0..<Chance.rounds(500) {
            let (whole, part, other) = (text(12), text(3), text(2))
            let parts = whole.parts(between: part)
            let expected = Self.parts(of: Array(whole.utf8), between: Array(part.utf8))
            #expect(parts.map { Array($0.utf8) } == expected, "seed \(Chance.seed), round \(round)")
            #expect(ExactText(parts.joined(separator: part)) == ExactText(whole))
            #expect(ExactText(whole.rewriting(part, as: other)) == ExactText(parts.joined(separator: other)))
            #expect(whole.holds(part) == (parts.count > 1 || part.isEmpty))
            #expect(whole.begins(with: part) == Array(whole.utf8).starts(with: Array(part.utf8)))
            #expect(
                (whole + part).ends(with: part)
                    && (part + whole).after(part).map { ExactText($0) } == ExactText(whole))
        }
    }

    /// The plain search, byte by byte.
    private static func parts(of whole: [UInt8], between part: [UInt8]) -> [[UInt8]] {
        guard !part.isEmpty else { return [whole] }
        var (parts, rest) = ([[UInt8]](), [UInt8]())
        var place = 0
        while place < whole.count {
            if whole[place...].starts(with: part) {
                parts.append(rest)
                rest = []
                place += part.count
            } else {
                rest.append(whole[place])
                place += 1
            }
        }
        return parts + [rest]
    }

    @Test("names, last name and folder of a path agree, for any path")
    func paths() {
        var random = StableRandom(seed: Chance.seed)
        let pieces = ["/", "/", "a", ".", "..", "\u{301}", "\u{E9}", "\r\n", "\u{600}", " "]
        for round in 0..<Chance.rounds(500) {
            let path = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }.joined()
            let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
            #expect(exact(path.pathNames) == exact(names), "seed \(Chance.seed), round \(round): \(path)")
            guard let last = names.last else {
                #expect(
                    path.lastName == (path.isEmpty ? "" : "/")
                        && path.outerFolder == (path.isEmpty ? "" : "/"))
                continue
            }
            #expect(ExactText(path.lastName) == ExactText(last), "\(path)")
            #expect(exact(path.outerFolder.pathNames) == exact(names.dropLast()), "\(path)")
            #expect(path.outerFolder.begins(with: "/") == path.begins(with: "/"), "\(path)")
        }
    }
}
