import SteplineSupport

/// A pattern for paths: `in/**/*.csv`.
///
/// `*` and `?` stand for characters of one name, `[a-z]` and `[!a-z]` for one of a set, `**` for any folders; `{a,b}`
/// is a choice, and a backslash takes the next character as it is. What begins with a dot is found only by a name
/// that is written with one.
struct PathPattern: Sendable, Hashable {
    /// A part of a path.
    enum Part: Sendable, Hashable {
        /// A name as it is written.
        case name(String)
        case wild([Token])
        /// Any folders, or none.
        case folders
    }

    /// A part of a name.
    enum Token: Sendable, Hashable {
        case character(Unicode.Scalar)
        case anyOne
        case anyMany
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    /// What can't be read as a pattern, and where.
    struct Mistake: Error {
        let byteOffset: Int
        let message: String
        var hint: String?
    }

    /// The most patterns that one with choices stands for.
    static let mostChoices = 1000

    /// Whether it begins at the root of the file system.
    let isAbsolute: Bool
    let parts: [Part]

    /// The path before the first part that isn't a plain name; all of it if there is none.
    var base: (path: String, rest: ArraySlice<Part>) {
        var names: [String] = []
        for part in parts {
            guard case .name(let name) = part else { break }
            names.append(name)
        }
        return ((isAbsolute ? "/" : "") + names.joined(separator: "/"), parts[names.count...])
    }

    /// The patterns that a text with choices stands for.
    static func all(_ text: String) throws(Mistake) -> [PathPattern] {
        try PathPatternReader(text).patterns()
    }

    /// A text that finds just itself.
    static func escaped(_ text: String) -> String {
        text.rewriting { "*?[]{},\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    /// Whether a name fits; in time linear in both for each star.
    static func fits(_ name: String, _ tokens: [Token]) -> Bool {
        let name = Array(name.unicodeScalars)
        if name.first == ".", tokens.first != .character(".") { return false }
        var (place, token) = (0, 0)
        // Where to go on if the last star takes one more.
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
