/// Parses an I-Regexp; each method returns nil for invalid syntax.
///
/// Outside of classes, `^` and `$` match the start and the end of the text. In RFC 9485 they are ordinary
/// characters, and its semantics are those of XSD, which has no anchors. But the languages that the RFC maps
/// patterns to have anchors, and the usual test suite for RFC 9535 requires them. Write `\^` and `[$]` for the
/// characters themselves.
struct IRegexpParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    /// Whether parsing failed because groups are nested too deeply.
    private(set) var isTooDeep = false

    private static let maximumDepth = 200

    init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    mutating func parse() -> IRegexpNode? {
        guard let tree = alternatives(), position == scalars.count else { return nil }
        return tree
    }

    private mutating func alternatives() -> IRegexpNode? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= IRegexpParser.maximumDepth else {
            isTooDeep = true
            return nil
        }
        var branches: [IRegexpNode] = []
        repeat {
            var pieces: [IRegexpNode] = []
            while let scalar = peek, scalar != "|", scalar != ")" {
                guard let piece = piece() else { return nil }
                if !piece.isEmpty { pieces.append(piece) }
            }
            branches.append(.sequence(pieces))
        } while take("|")
        if branches.allSatisfy(\.isEmpty) { return .sequence([]) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func piece() -> IRegexpNode? {
        guard let atom = atom() else { return nil }
        let piece = repeated(atom)
        return atom.isEmpty && piece != nil ? atom : piece
    }

    /// Parses the quantifier after an atom, and returns the atom with it.
    private mutating func repeated(_ atom: IRegexpNode) -> IRegexpNode? {
        if take("*") { return .repetition(atom, least: 0, most: nil) }
        if take("+") { return .repetition(atom, least: 1, most: nil) }
        if take("?") { return .repetition(atom, least: 0, most: 1) }
        guard take("{") else { return atom }
        guard let least = number() else { return nil }
        if take("}") { return .repetition(atom, least: least, most: least) }
        guard take(",") else { return nil }
        if take("}") { return .repetition(atom, least: least, most: nil) }
        guard let most = number(), most >= least, take("}") else { return nil }
        return .repetition(atom, least: least, most: most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = peek, ("0"..."9").contains(scalar) {
            // Numbers above the maximum are equivalent: all of them are too large.
            value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), IRegexp.maximumSize)
            position += 1
        }
        return value
    }

    private mutating func atom() -> IRegexpNode? {
        guard let scalar = peek else { return nil }
        position += 1
        switch scalar {
        case "(":
            guard let inner = alternatives(), take(")") else { return nil }
            return inner
        case ".": return .scalar(.dot)
        case "[": return characterClass().map { .scalar($0) }
        case "\\": return escape().map { .scalar(ScalarSet([$0])) }
        case "^": return .textStart
        case "$": return .textEnd
        case "*", "+", "?", "{", "}", "]", "|", ")": return nil
        default: return .scalar(ScalarSet([.range(scalar.value...scalar.value)]))
        }
    }

    private mutating func characterClass() -> ScalarSet? {
        let isNegated = take("^")
        var parts: [ScalarSet.Part] = []
        if take("-") { parts.append(.range(0x2D...0x2D)) }
        while let scalar = peek, scalar != "]" {
            if scalar == "-" {
                position += 1
                guard peek == "]" else { return nil }
                parts.append(.range(0x2D...0x2D))
            } else {
                guard let part = classPart() else { return nil }
                parts.append(part)
            }
        }
        return take("]") && !parts.isEmpty ? ScalarSet(parts, isNegated: isNegated) : nil
    }

    private mutating func classPart() -> ScalarSet.Part? {
        guard let first = classCharacter() else { return nil }
        guard case .range(let lower) = first, peek == "-", position + 1 < scalars.count,
            scalars[position + 1] != "]"
        else { return first }
        position += 1
        guard case .range(let upper)? = classCharacter(), lower.lowerBound <= upper.lowerBound else {
            return nil
        }
        return .range(lower.lowerBound...upper.lowerBound)
    }

    private mutating func classCharacter() -> ScalarSet.Part? {
        guard let scalar = peek, scalar != "[", scalar != "]", scalar != "-" else { return nil }
        position += 1
        return scalar == "\\" ? escape() : .range(scalar.value...scalar.value)
    }

    private mutating func escape() -> ScalarSet.Part? {
        guard let scalar = peek else { return nil }
        position += 1
        switch scalar {
        case "n": return .range(0x0A...0x0A)
        case "r": return .range(0x0D...0x0D)
        case "t": return .range(0x09...0x09)
        case "p", "P": return category(isComplement: scalar == "P")
        case "("..."+", "-", ".", "?", "["..."^", "{"..."}": return .range(scalar.value...scalar.value)
        default: return nil
        }
    }

    private mutating func category(isComplement: Bool) -> ScalarSet.Part? {
        guard take("{") else { return nil }
        var name = ""
        while let scalar = peek, scalar != "}" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take("}"), let categories = ScalarCategories(named: name) else { return nil }
        return .categories(isComplement ? categories.complement : categories)
    }
}
