import SteplineSupport

/// The shared state of one decoding: settings, and the position in the document.
final class DecodingState {
    let settings: XML.Decoder
    /// The names of the document.
    let names: NameTable.Index
    /// The line of the latest value.
    var line: Int

    init(_ settings: XML.Decoder, _ element: XML.Element) {
        self.settings = settings
        names = element.tree.nameTable.index
        line = element.line
    }

    func name(for key: any CodingKey) -> String {
        let key = key.stringValue
        if case .asWritten = settings.keyStrategy { return key }
        guard !key.hasPrefix("@"), !key.hasPrefix("#"), !key.holds("/") else { return key }
        return switch settings.keyStrategy {
        case .asWritten: key
        case .snakeCase: Self.separated(key, by: "_")
        case .kebabCase: Self.separated(key, by: "-")
        case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
        case .custom(let convert): convert(key)
        }
    }

    /// Splits a key into words: before a capital after a small letter or digit, and before the last of several capitals
    /// if a small letter follows: `imageURL` becomes `image_url`, `URLString` becomes `url_string`.
    private static func separated(_ key: String, by separator: Character) -> String {
        let characters = Array(key)
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase, characters[index - 1] != "_" {
                let endsWord = !characters[index - 1].isUppercase
                let startsWord = index + 1 < characters.count && characters[index + 1].isLowercase
                if endsWord || startsWord { result.append(separator) }
            }
            result += character.lowercased()
        }
        return result
    }

    func mismatch<T>(_ type: T.Type, _ path: [any CodingKey], _ message: String) -> DecodingError {
        .typeMismatch(type, context(path, message))
    }

    func context(_ path: [any CodingKey], _ message: String) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: path, debugDescription: message,
            underlyingError: XMLError(.decoding, message, line: line))
    }
}

extension DecodingError {
    /// Returns the error with a line as its underlying error, if it has none.
    func placed(at line: Int) -> DecodingError {
        func placed(_ context: Context) -> Context {
            guard context.underlyingError == nil else { return context }
            return Context(
                codingPath: context.codingPath, debugDescription: context.debugDescription,
                underlyingError: XMLError(.decoding, context.debugDescription, line: line))
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, placed(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, placed(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, placed(context))
        case .dataCorrupted(let context): .dataCorrupted(placed(context))
        @unknown default: self
        }
    }
}
