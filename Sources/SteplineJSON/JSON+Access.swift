extension JSON {
    /// What a value is.
    public enum Kind: Hashable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool
        /// A number of any size.
        case number
        /// A string.
        case string
        /// A list of values.
        case array
        /// A list of members.
        case object
    }

    /// What the value is.
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

    /// The text of a string, its escapes resolved; nil for anything else.
    public var string: String? { word.isText ? storage.text(word) : nil }

    /// The truth of `true` and `false`; nil for anything else.
    public var bool: Bool? {
        switch word.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// How many elements or members there are; 0 for anything but arrays and objects.
    public var count: Int { word.isContainer ? word.lower : 0 }
}
