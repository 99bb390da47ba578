/// A regular expression in I-Regexp (RFC 9485), compiled to a program for an automaton without backtracking.
struct IRegexp: Sendable {
    enum Instruction: Sendable {
        /// Consumes a character of the set with this number.
        case scalar(Int)
        /// Continues at both places.
        case split(Int, Int)
        case jump(Int)
        /// Continues only at the start of the text, or only at its end.
        case textStart, textEnd
        case end
    }

    /// The maximum number of instructions: repetitions are unrolled, and nested ones multiply.
    static let maximumSize = 100_000

    let pattern: String
    let program: [Instruction]
    let sets: [ScalarSet]

    /// Compiles a pattern; nil if it isn't an I-Regexp.
    ///
    /// - Throws: `JSONError` with the code `.tooLarge` if the pattern is too large or nested too deeply.
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
