/// An I-Regexp (RFC 9485), read into a small program for an automaton that needs no backtracking.
struct IRegexp: Sendable {
    enum Instruction: Sendable {
        /// Takes a character of the set with this number.
        case scalar(Int)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        /// Goes on at the text's start only, or at its end only.
        case textStart, textEnd
        case end
    }

    /// Repetitions are written out, so that nested ones could grow without end.
    static let maximumSize = 100_000

    let pattern: String
    let program: [Instruction]
    let sets: [ScalarSet]

    /// Nil if the pattern is no I-Regexp; one that is too large or nested too deeply is `.tooLarge`.
    init?(_ pattern: String) throws(JSONError) {
        var parser = IRegexpParser(pattern)
        guard let tree = parser.parse() else {
            if parser.isTooDeep { throw IRegexp.tooLarge("is nested too deeply") }
            return nil
        }
        guard tree.size < IRegexp.maximumSize else {
            throw IRegexp.tooLarge("has more than \(IRegexp.maximumSize) places, repetitions written out")
        }
        var builder = IRegexpBuilder()
        builder.add(tree)
        self.pattern = pattern
        program = builder.instructions + [.end]
        sets = builder.sets
    }

    private static func tooLarge(_ what: String) -> JSONError {
        JSONError(.tooLarge, message: "The regular expression \(what)")
    }
}
