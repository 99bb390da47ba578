import SteplineSupport
import Testing

/// Text by its scalars: `"` with an accent behind it is a quote, and a line feed behind a return ends a line.
struct ScalarsTests {
    @Test func `a sign is found whatever joins it to what is around it`() {
        let quoted = "a\"\u{301}b", escaped = "a\\\"\u{301}b"
        #expect(quoted.rewriting { $0 == "\"" ? "\\\"" : nil } == escaped)
        #expect("\u{600}/".rewriting { $0 == "/" ? "-" : nil } == "\u{600}-")
        #expect("/\u{301}x".begins(with: "/") && !"x".begins(with: "xy") && "x".begins(with: ""))
        #expect("\u{600}/".ends(with: "/") && !"x".ends(with: "yx") && "x".ends(with: ""))
        #expect("a\r\nb".holds("\n") && "/\u{301}".holds("/") && "x".holds("") && !"".holds("x"))
        #expect("a\r\nb".parts(between: "\n") == ["a\r", "b"])
        let halves = "a=\u{301}b=".halves(at: "=")
        #expect(halves?.before == "a" && halves?.behind == "\u{301}b=" && "a".halves(at: "=") == nil)
    }

    @Test(arguments: [
        ("/a/b", "b", "/a"), ("a", "a", ""), ("/a", "a", "/"), ("/", "/", "/"), ("", "", ""),
        ("//", "/", "/"),
        ("a/b/", "b", "a"), ("a//b//", "b", "a"), ("//a", "a", "/"), ("/a/\u{301}b", "\u{301}b", "/a"),
        ("/a/x/\u{301}b", "\u{301}b", "/a/x"), ("\u{600}/b", "b", "\u{600}"), ("/a\r/\nb", "\nb", "/a\r"),
    ])
    func `a path has a last name, and a folder around it`(path: String, name: String, folder: String) {
        #expect(
            ExactText(path.lastName) == ExactText(name) && ExactText(path.outerFolder) == ExactText(folder))
    }

    @Test func `what looks alike but is written otherwise isn't the same`() {
        #expect(!"e\u{301}/x".begins(with: "\u{E9}") && !"xe\u{301}".ends(with: "\u{E9}"))
        #expect(
            "ab".behind("a") == "b" && "\u{301}".behind("") == "\u{301}" && "e\u{301}".behind("\u{E9}") == nil
        )
        #expect(
            Set([ExactText("e\u{301}"), ExactText("\u{E9}")]).count == 2 && ExactText("a") < ExactText("b"))
        #expect(!"e\u{301}".holds("\u{E9}") && "e\u{301}".parts(between: "\u{E9}") == ["e\u{301}"])
    }

    @Test func `parts are those between one separator and the next, from the left`() {
        #expect("".parts(between: ",") == [""] && ",".parts(between: ",") == ["", ""])
        #expect("aaa".parts(between: "aa") == ["", "a"] && "aabaab".parts(between: "aab") == ["", "", ""])
        #expect("x".parts(between: "") == ["x"] && Substring("a,b").parts(between: ",") == ["a", "b"])
    }

    @Test func `parts and what is held are those that a plain search finds`() {
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: .min ... .max, using: &generator)
        var chance = SplitMix(state: seed)
        for _ in 0..<2_000 {
            let text = chance.text(of: 12), wanted = "x" + chance.text(of: 3)
            for part in [wanted, String(wanted.dropFirst())] where !part.isEmpty {
                let plain = text.split(separator: part, omittingEmptySubsequences: false).map(String.init)
                #expect(text.parts(between: part) == plain, "seed \(seed): \(part) in \(text)")
                #expect(text.holds(part) == (plain.count > 1), "seed \(seed): \(part) in \(text)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a search takes time in proportion, whatever is looked for`() {
        let text = String(repeating: "a", count: 300_000)
        #expect(!text.holds(String(repeating: "a", count: 100_000) + "b"))
        #expect(text.parts(between: String(repeating: "a", count: 100_000)).count == 4)
    }
}

/// Random numbers that a seed repeats.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func text(of length: Int) -> String {
        let count = Int.random(in: 0...length, using: &self)
        return String((0..<count).map { _ in Bool.random(using: &self) ? "x" : "y" })
    }
}
