/// What one run of a decoder shares: its settings, and how far in the document it has come.
final class DecodingState {
    let settings: XML.Decoder
    /// The line of the value that was looked at last.
    var line: Int

    init(_ settings: XML.Decoder, line: Int) {
        self.settings = settings
        self.line = line
    }

    func name(for key: any CodingKey) -> String {
        let key = key.stringValue
        guard !key.hasPrefix("@"), !key.hasPrefix("#"), !key.contains("/") else { return key }
        return switch settings.keyStrategy {
        case .asWritten: key
        case .snakeCase: Self.separated(key, by: "_")
        case .kebabCase: Self.separated(key, by: "-")
        case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
        case .custom(let convert): convert(key)
        }
    }

    private static func separated(_ key: String, by separator: Character) -> String {
        var result = ""
        for character in key {
            if character.isUppercase, !result.isEmpty { result.append(separator) }
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
    /// The same error with a line beneath, if it has none.
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

/// A key made from a name or a place in a list.
struct PlainKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
