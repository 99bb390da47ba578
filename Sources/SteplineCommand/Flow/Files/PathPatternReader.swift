/// Parses a path pattern: quotes, choices, then parts and sets.
struct PathPatternReader {
    /// A character, its offset, and whether it is quoted.
    private struct Piece {
        let character: Unicode.Scalar
        let byteOffset: Int
        var isPlain = false

        /// Returns whether this is the given special character, unquoted.
        func means(_ other: Unicode.Scalar) -> Bool { !isPlain && character == other }
    }

    private let text: String

    init(_ text: String) { self.text = text }

    func patterns() throws(PathPattern.Mistake) -> [PathPattern] {
        var patterns: [PathPattern] = []
        for choice in try expanded(pieces()) {
            let pattern = try pattern(choice)
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        return patterns
    }

    private func pieces() throws(PathPattern.Mistake) -> [Piece] {
        var pieces: [Piece] = []
        var offset = 0
        var isPlain = false
        for character in text.unicodeScalars {
            if character == "\\", !isPlain {
                isPlain = true
            } else {
                pieces.append(Piece(character: character, byteOffset: offset, isPlain: isPlain))
                isPlain = false
            }
            offset += character.utf8.count
        }
        guard !isPlain else {
            throw PathPattern.Mistake(byteOffset: offset - 1, message: "nothing follows the backslash")
        }
        return pieces
    }

    /// Returns one sequence for each combination of choices.
    private func expanded(_ pieces: [Piece]) throws(PathPattern.Mistake) -> [[Piece]] {
        var done: [[Piece]] = []
        var toDo = [pieces]
        while let pieces = toDo.popLast() {
            guard let open = pieces.firstIndex(where: { $0.means("{") }) else {
                if let close = pieces.first(where: { $0.means("}") }) {
                    throw PathPattern.Mistake(byteOffset: close.byteOffset, message: "} closes nothing")
                }
                done.append(pieces)
                continue
            }
            var depth = 0
            var commas: [Int] = []
            var end: Int?
            for place in open..<pieces.count where end == nil {
                if pieces[place].means("{") { depth += 1 }
                if pieces[place].means("}") { depth -= 1 }
                if pieces[place].means(","), depth == 1 { commas.append(place) }
                if depth == 0 { end = place }
            }
            guard let end else {
                throw PathPattern.Mistake(
                    byteOffset: pieces[open].byteOffset, message: "{ isn't closed by }")
            }
            let bounds = [open] + commas + [end]
            let choices = zip(bounds, bounds.dropFirst()).map { pieces[($0 + 1)..<$1] }
            // In reverse order, since the last is removed first.
            for choice in choices.reversed() {
                toDo.append(Array(pieces[..<open] + choice + pieces[(end + 1)...]))
            }
            guard done.count + toDo.count <= PathPattern.mostChoices else {
                throw PathPattern.Mistake(
                    byteOffset: pieces[open].byteOffset,
                    message: "it has more than \(PathPattern.mostChoices) choices")
            }
        }
        return done
    }

    private func pattern(_ pieces: [Piece]) throws(PathPattern.Mistake) -> PathPattern {
        var parts: [PathPattern.Part] = []
        for pieces in pieces.split(whereSeparator: { $0.character == "/" }) {
            let part = try part(Array(pieces))
            // `**/**` equals `**`.
            if part == .folders, parts.last == .folders { continue }
            if part == .name(".."), parts.contains(where: { if case .name = $0 { false } else { true } }) {
                throw PathPattern.Mistake(
                    byteOffset: pieces.first?.byteOffset ?? 0,
                    message: ".. can't follow a wildcard")
            }
            if part != .name(".") { parts.append(part) }
        }
        guard !parts.isEmpty else { throw PathPattern.Mistake(byteOffset: 0, message: "it names no file") }
        return PathPattern(isAbsolute: pieces.first?.character == "/", parts: parts)
    }

    private func part(_ pieces: [Piece]) throws(PathPattern.Mistake) -> PathPattern.Part {
        if pieces.count == 2, pieces.allSatisfy({ $0.means("*") }) { return .folders }
        var tokens: [PathPattern.Token] = []
        var place = 0
        while place < pieces.count {
            let piece = pieces[place]
            if piece.means("*") {
                guard tokens.last != .anyMany else {
                    throw PathPattern.Mistake(
                        byteOffset: piece.byteOffset, message: "** must be a whole name",
                        hint: "as in **/*.csv")
                }
                tokens.append(.anyMany)
            } else if piece.means("?") {
                tokens.append(.anyOne)
            } else if piece.means("[") {
                tokens.append(try set(pieces, &place))
            } else {
                tokens.append(.character(piece.character))
            }
            place += 1
        }
        var name = String.UnicodeScalarView()
        for token in tokens {
            guard case .character(let character) = token else { return .wild(tokens) }
            name.append(character)
        }
        return .name(String(name))
    }

    /// Parses a set; leaves `place` at its end.
    private func set(
        _ pieces: [Piece], _ place: inout Int
    ) throws(PathPattern.Mistake) -> PathPattern.Token {
        let start = place
        place += 1
        let isNegated = place < pieces.count && (pieces[place].means("!") || pieces[place].means("^"))
        if isNegated { place += 1 }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        // A bracket directly after the beginning is a member of the set.
        while place < pieces.count, !pieces[place].means("]") || ranges.isEmpty {
            let first = pieces[place]
            guard place + 2 < pieces.count, pieces[place + 1].means("-"), !pieces[place + 2].means("]") else {
                ranges.append(first.character...first.character)
                place += 1
                continue
            }
            let last = pieces[place + 2]
            guard first.character <= last.character else {
                throw PathPattern.Mistake(
                    byteOffset: first.byteOffset,
                    message: "from \(first.character) to \(last.character) there is nothing")
            }
            ranges.append(first.character...last.character)
            place += 3
        }
        guard place < pieces.count else {
            throw PathPattern.Mistake(
                byteOffset: pieces[start].byteOffset, message: "[ isn't closed by ]",
                hint: "\\[ stands for the bracket itself")
        }
        return .oneOf(ranges, isNegated: isNegated)
    }
}
