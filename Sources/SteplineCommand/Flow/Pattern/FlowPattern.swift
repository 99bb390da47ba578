import SteplineJSON
import SteplineSupport

/// A compiled regular expression for formulas.
struct FlowPattern: Sendable {
    /// The longest text that is searched, in bytes.
    private static let longestText = 16 << 20
    private static let mostKept = 64
    private static let known = Locked<[ExactText: PatternProgram]>([:])

    private let program: PatternProgram

    /// Compiles a pattern; compiled patterns are cached, since the next element usually uses the same.
    init(_ pattern: String) throws(PatternProgram.Mistake) {
        let text = ExactText(pattern)
        if let program = Self.known.withLock({ $0[text] }) {
            self.program = program
            return
        }
        let program = try PatternParser.read(pattern)
        self.program = program
        Self.known.withLock { known in
            if known.count >= Self.mostKept { known = [:] }
            known[text] = program
        }
    }

    /// Compiles a function's second argument.
    init(_ pattern: JSON) throws {
        let text = try FlowFunction.text(pattern)
        do {
            try self.init(text)
        } catch {
            let before = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).count
            throw FlowFunction.Misuse(
                message: "\(error.message), at character \(before + 1) of the pattern")
        }
    }

    /// A match: the whole and each group.
    struct Match {
        fileprivate let text: [UInt32]
        let ranges: [Range<Int>?]

        func text(of group: Int) -> String? {
            ranges.indices.contains(group) ? ranges[group].map { FlowPattern.string(text[$0]) } : nil
        }

        /// Returns the texts of the whole and the groups as a list; null for groups that didn't match.
        func value() throws -> JSON {
            try JSON(elements: ranges.indices.map { text(of: $0).map { JSON($0) } ?? .null })
        }
    }

    /// Returns whether the whole text matches.
    func isWhole(_ text: String) throws -> Bool {
        let scalars = try Self.scalars(text)
        var matcher = try PatternMatcher(program.whole, scalars, PatternSteps())
        return try matcher.match(from: 0)?.first == 0..<scalars.count
    }

    /// Returns the first match.
    func first(in text: String, _ steps: PatternSteps = PatternSteps()) throws -> Match? {
        var found: Match?
        try forEach(in: Self.scalars(text), steps) { match, _ in
            found = match
            return false
        }
        return found
    }

    /// Returns all matches in order as lists, at most as many as fit into `room` bytes.
    func all(
        in text: String, _ steps: PatternSteps = PatternSteps(), room: Int = FlowFunction.mostText
    ) throws -> [JSON] {
        let most = room / (16 * (program.groups + 2))
        var found: [JSON] = []
        try forEach(in: Self.scalars(text), steps) { match, _ in
            found.append(try match.value())
            guard found.count <= most else { throw FlowFunction.Misuse(message: "too many are found") }
            return true
        }
        return found
    }

    /// Calls `body` with each match while it returns true.
    private func forEach(
        in scalars: [UInt32], _ steps: PatternSteps, _ body: (Match, _ whole: Range<Int>) throws -> Bool
    ) throws {
        var matcher = try PatternMatcher(program, scalars, steps)
        var start = 0
        while start <= scalars.count, let ranges = try matcher.match(from: start),
            let whole = ranges.first.flatMap(\.self),
            try body(Match(text: scalars, ranges: ranges), whole)
        {
            // Advance by at least one character after an empty match.
            start = whole.isEmpty ? whole.upperBound + 1 : whole.upperBound
        }
    }

    /// Returns the text with all matches replaced; in `new`, `$1` and `$name` stand for groups, `$$` for `$`.
    func replace(
        in text: String, by new: String, _ steps: PatternSteps = PatternSteps()
    ) throws -> String {
        let parts = try replacement(new)
        let scalars = try Self.scalars(text)
        var replaced = ""
        var end = 0
        try forEach(in: scalars, steps) { match, whole in
            replaced += Self.string(scalars[end..<whole.lowerBound])
            for part in parts {
                switch part {
                case .text(let text): replaced += text
                case .group(let number): replaced += match.text(of: number) ?? ""
                }
            }
            end = whole.upperBound
            guard replaced.utf8.count <= FlowFunction.mostText else {
                throw FlowFunction.Misuse(message: "the text would be too long")
            }
            return true
        }
        return replaced + Self.string(scalars[end...])
    }

    private enum Part {
        case text(String)
        case group(Int)
    }

    private func replacement(_ new: String) throws -> [Part] {
        var parts: [Part] = []
        var rest = new.unicodeScalars[...]
        while let dollar = rest.firstIndex(of: "$") {
            parts.append(.text(String(rest[..<dollar])))
            rest = rest[rest.index(after: dollar)...]
            if rest.first == "$" {
                parts.append(.text("$"))
                rest = rest.dropFirst()
                continue
            }
            let isNumber = rest.first.map(Self.isDigit) == true
            let name = String(
                rest.prefix { isNumber ? Self.isDigit($0) : FlowReader.isOfName($0) })
            let group = isNumber ? Int(name) : program.names.first { $0.name == name }?.group
            guard let group, group <= program.groups else {
                throw FlowFunction.Misuse(
                    message: "the pattern has no group \"\(name)\"; write $$ for the dollar sign itself")
            }
            parts.append(.group(group))
            rest = rest.dropFirst(name.unicodeScalars.count)
        }
        return parts + [.text(String(rest))]
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType == .decimal
    }

    // MARK: Texts

    private static func scalars(_ text: String) throws -> [UInt32] {
        guard text.utf8.count <= longestText else {
            throw FlowFunction.Misuse(message: "the text has more than \(longestText >> 20) MiB")
        }
        return text.unicodeScalars.map(\.value)
    }

    private static func string(_ scalars: ArraySlice<UInt32>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars.lazy.compactMap { Unicode.Scalar($0) })
        return text
    }
}
