import SteplineSupport

/// A pattern for paths: `in/**/*.csv`.
///
/// `*` and `?` match characters of one name, `[a-z]` and `[!a-z]` one character of a set, `**` any folders. `{a,b}` is
/// a choice.
/// A backslash quotes the next character. Names with a leading dot match only patterns that write the dot.
struct PathPattern: Sendable, Hashable {
    /// A part of a path.
    enum Part: Sendable, Hashable {
        /// A literal name.
        case name(String)
        case wild([Token])
        /// Any number of folders, including none.
        case folders
    }

    /// A part of a name.
    enum Token: Sendable, Hashable {
        case character(Unicode.Scalar)
        case anyOne
        case anyMany
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    /// A syntax error in a pattern.
    struct Mistake: Error {
        let byteOffset: Int
        let message: String
        var hint: String?
    }

    /// The largest number of patterns that choices may expand to.
    static let mostChoices = 1000

    /// Whether the pattern is an absolute path.
    let isAbsolute: Bool
    let parts: [Part]

    /// The literal path before the first wildcard, and the rest.
    var base: (path: String, rest: ArraySlice<Part>) {
        var names: [String] = []
        for part in parts {
            guard case .name(let name) = part else { break }
            names.append(name)
        }
        return ((isAbsolute ? "/" : "") + names.joined(separator: "/"), parts[names.count...])
    }

    /// Returns the patterns that a text with choices expands to.
    static func all(_ text: String) throws(Mistake) -> [PathPattern] {
        try PathPatternReader(text).patterns()
    }

    /// Returns a pattern that matches only the given text.
    static func escaped(_ text: String) -> String {
        text.rewriting { "*?[]{},\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    /// Returns whether a name matches; the time for each star is linear in both.
    static func fits(_ name: String, _ tokens: [Token]) -> Bool {
        let name = Array(name.unicodeScalars)
        if name.first == ".", tokens.first != .character(".") { return false }
        var (place, token) = (0, 0)
        // The position to resume if the last star matches one more character.
        var retry: (place: Int, token: Int)?
        while place < name.count {
            if token < tokens.count, tokens[token] == .anyMany {
                token += 1
                retry = (place, token)
            } else if token < tokens.count, tokens[token].fits(name[place]) {
                place += 1
                token += 1
            } else if let last = retry {
                retry = (last.place + 1, last.token)
                (place, token) = (last.place + 1, last.token)
            } else {
                return false
            }
        }
        return tokens[token...].allSatisfy { $0 == .anyMany }
    }
}

extension PathPattern.Token {
    fileprivate func fits(_ character: Unicode.Scalar) -> Bool {
        switch self {
        case .character(let own): own == character
        case .anyOne: true
        case .anyMany: false
        case .oneOf(let ranges, let isNegated): ranges.contains { $0.contains(character) } != isNegated
        }
    }
}
