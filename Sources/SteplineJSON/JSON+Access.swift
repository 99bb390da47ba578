extension JSON {
    /// The kinds of values.
    public enum Kind: Hashable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool
        /// A number of any size.
        case number
        /// A string.
        case string
        /// An array of values.
        case array
        /// An object with members.
        case object
    }

    /// The kind of the value.
    public var kind: Kind {
        switch word.kind {
        case .null: .null
        case .no, .yes: .bool
        case .integer, .real: .number
        case .text, .escapedText: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { word.isNull }

    /// The text of a string with its escapes resolved; nil for any other kind.
    public var string: String? { word.isText ? storage.text(word) : nil }

    /// The value of `true` and `false`; nil for any other kind.
    public var bool: Bool? {
        switch word.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The number of elements or members; 0 for any other kind.
    public var count: Int { word.isContainer ? word.lower : 0 }
}
