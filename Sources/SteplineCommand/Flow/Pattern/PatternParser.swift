/// Parses a regular expression by recursive descent.
///
/// The numbers of groups, repeats and nested brackets are limited. Errors have their offset in the pattern.
struct PatternParser {
    private typealias Mistake = PatternProgram.Mistake

    /// The largest depth of brackets.
    private static let deepest = 100
    /// The largest repeat count.
    private static let mostRepeats = 1000
    private static let mostGroups = 50

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    private var groups = 0
    private var names: [(name: String, group: Int)] = []
    private var ignoresCase = false
    private var isMultiline = false
    private var dotTakesAll = false

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func read(_ text: String) throws(PatternProgram.Mistake) -> PatternProgram {
        guard text.utf8.count <= PatternProgram.longest else {
            throw Mistake(
                offset: 0, message: "the pattern has more than \(PatternProgram.longest) bytes")
        }
        var parser = PatternParser(text)
        try parser.flags()
        let node = try parser.choices()
        if parser.next != nil { throw parser.mistake("there is no \"(\" for this \")\"") }
        return PatternProgram(
            instructions: try PatternCompiler.instructions(for: node), groups: parser.groups,
            names: parser.names)
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    private func mistake(_ message: String, at place: Int? = nil, hint: String? = nil) -> Mistake {
        let before = scalars.prefix(place ?? position)
        return Mistake(
            offset: before.reduce(0) { $0 + UTF8.width($1) }, message: message, hint: hint)
    }

    // MARK: Parts

    /// Parses the flags `(?i)`, `(?m)`, `(?s)` at the beginning.
    private mutating func flags() throws(PatternProgram.Mistake) {
        guard scalars.starts(with: "(?".unicodeScalars), scalars.count > 2,
            "ims".unicodeScalars.contains(scalars[2])
        else { return }
        position = 2
        while let flag = next, !take(")") {
            switch flag {
            case "i": ignoresCase = true
            case "m": isMultiline = true
            case "s": dotTakesAll = true
            default: throw mistake("there is no flag \"\(flag)\": i, m and s are known")
            }
            position += 1
        }
    }

    private mutating func choices() throws(PatternProgram.Mistake) -> PatternNode {
        var choices = [try sequence()]
        while take("|") { choices.append(try sequence()) }
        return choices.count == 1 ? choices[0] : .either(choices)
    }

    private mutating func sequence() throws(PatternProgram.Mistake) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repeated()) }
        return parts.isEmpty ? .nothing : .sequence(parts)
    }

    private mutating func repeated() throws(PatternProgram.Mistake) -> PatternNode {
        let start = position
        if let sign = next, "*+?".unicodeScalars.contains(sign) {
            throw mistake(
                "there is nothing before \"\(sign)\" that could be repeated", hint: "write \\\(sign)")
        }
        let part = try single()
        guard let (least, most) = try counts() else { return part }
        let isGreedy = !take("?")
        if next == "+" { throw mistake("a \"+\" after a repetition isn't known here") }
        if case .assertion = part { throw mistake("this can't be repeated", at: start) }
        if let sign = next, "*?".unicodeScalars.contains(sign) {
            throw mistake("it is repeated already", hint: "put it into brackets: (…)\(sign)")
        }
        return .many(part, least: least, most: most, isGreedy: isGreedy)
    }

    private mutating func counts() throws(PatternProgram.Mistake) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next == "{" else { return nil }
        let start = position
        position += 1
        let least = number()
        let isRange = take(",")
        let most = isRange ? number() : least
        guard take("}"), let least else {
            throw mistake(
                "a repetition is {2}, {2,} or {2,5}", at: start, hint: "for the bracket itself write \\{")
        }
        guard least <= Self.mostRepeats, most ?? 0 <= Self.mostRepeats else {
            throw mistake("more than \(Self.mostRepeats) repetitions", at: start)
        }
        if let most, most < least { throw mistake("\(most) is less than \(least)", at: start) }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var number: Int?
        while let digit = next, ("0"..."9").contains(digit) {
            number = min((number ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
            position += 1
        }
        return number
    }

    private mutating func single() throws(PatternProgram.Mistake) -> PatternNode {
        let start = position
        guard let scalar = next else { return .nothing }
        position += 1
        switch scalar {
        case ".": return .set(dotTakesAll ? .any : .anyButNewline)
        case "^": return .assertion(isMultiline ? .lineStart : .start)
        case "$": return .assertion(isMultiline ? .lineEnd : .end)
        case "(": return try bracket(start)
        case "[": return .set(cased(try characters(start)))
        case "\\": return try escaped(start)
        default: return .set(cased(PatternSet(ranges: [scalar.value...scalar.value])))
        }
    }

    private func cased(_ set: PatternSet) -> PatternSet { (ignoresCase ? set.withBothCases() : set).merged() }

    private mutating func bracket(_ start: Int) throws(PatternProgram.Mistake) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw mistake("too many brackets inside each other", at: start) }
        var number: Int?
        if take("?") {
            if !take(":") {
                for sign in ["=", "!", "<=", "<!", ">"] where take(sign) {
                    throw mistake("patterns can't look around here", at: start)
                }
                guard take("<") || take("P<") else {
                    throw mistake("a bracket begins with (, (?: or (?<name>", at: start)
                }
                number = try newGroup(start)
                names.append((try name(), groups))
            }
        } else {
            number = try newGroup(start)
        }
        let inner = try choices()
        guard take(")") else { throw mistake("this bracket is never closed", at: start) }
        return number.map { .group(inner, number: $0) } ?? inner
    }

    private mutating func newGroup(_ start: Int) throws(PatternProgram.Mistake) -> Int {
        groups += 1
        guard groups <= Self.mostGroups else {
            throw mistake("more than \(Self.mostGroups) groups", at: start, hint: "(?:…) captures nothing")
        }
        return groups
    }

    private mutating func name() throws(PatternProgram.Mistake) -> String {
        let start = position
        var name = ""
        while let scalar = next, scalar != ">" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take(">"), FlowReader.isName(name) else {
            throw mistake("a group's name has letters, digits and _ only", at: start)
        }
        guard !names.contains(where: { $0.name == name }) else {
            throw mistake("there is a group \"\(name)\" already", at: start)
        }
        return name
    }

    // MARK: Escapes and sets

    private mutating func escaped(_ start: Int) throws(PatternProgram.Mistake) -> PatternNode {
        guard let scalar = next else { throw mistake("nothing follows the \\", at: start) }
        switch scalar {
        case "b":
            position += 1
            return .assertion(.wordEdge)
        case "B":
            position += 1
            return .assertion(.noWordEdge)
        case "1"..."9": throw mistake("patterns can't refer back to a group here", at: start)
        default: return .set(cased(try escapedSet(start)))
        }
    }

    private mutating func escapedSet(_ start: Int) throws(PatternProgram.Mistake) -> PatternSet {
        guard let scalar = next else { throw mistake("nothing follows the \\", at: start) }
        position += 1
        let controls: [Unicode.Scalar: UInt32] = ["n": 0x0A, "r": 0x0D, "t": 0x09, "f": 0x0C, "v": 0x0B]
        switch scalar {
        case "d": return .digits
        case "D": return PatternSet.digits.inverted
        case "w": return .word
        case "W": return PatternSet.word.inverted
        case "s": return .blanks
        case "S": return PatternSet.blanks.inverted
        default:
            if let control = controls[scalar] { return PatternSet(ranges: [control...control]) }
            guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
                throw mistake("\\\(scalar) isn't known here", at: start)
            }
            return PatternSet(ranges: [scalar.value...scalar.value])
        }
    }

    private mutating func characters(_ start: Int) throws(PatternProgram.Mistake) -> PatternSet {
        var set = PatternSet(isInverted: take("^"))
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            isFirst = false
            let place = position
            position += 1
            let low =
                scalar == "\\" ? try escapedSet(place) : PatternSet(ranges: [scalar.value...scalar.value])
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.ranges += low.plainRanges
                continue
            }
            position += 1
            let end = scalars[position]
            position += 1
            let high = end == "\\" ? try escapedSet(place) : PatternSet(ranges: [end.value...end.value])
            guard low.ranges.count == 1, high.ranges.count == 1, let first = low.ranges.first?.lowerBound,
                let last = high.ranges.first?.upperBound, low.ranges[0].count == 1, high.ranges[0].count == 1
            else { throw mistake("a range is from one character to another, as a-z", at: place) }
            guard first <= last else { throw mistake("this range goes backwards", at: place) }
            set.ranges.append(first...last)
        }
        guard take("]") else { throw mistake("this [ is never closed", at: start) }
        return set
    }
}
