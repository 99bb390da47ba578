extension JSONError {
    /// The kinds of errors; later versions may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        init(_ name: String) { self.name = name }

        /// The name of the code.
        public var description: String { name }

        /// The text is empty or only white space.
        public static let empty = Code("empty")
        /// The text ends inside a value.
        public static let unexpectedEnd = Code("unexpectedEnd")
        /// A character is not allowed at its position.
        public static let unexpectedCharacter = Code("unexpectedCharacter")
        /// Text follows the document's value.
        public static let trailingText = Code("trailingText")
        /// A number is malformed.
        public static let invalidNumber = Code("invalidNumber")
        /// An escape is malformed or unknown.
        public static let invalidEscape = Code("invalidEscape")
        /// A surrogate has no counterpart, in an escape or in UTF-16 or UTF-32.
        public static let loneSurrogate = Code("loneSurrogate")
        /// A string contains an unescaped control character.
        public static let controlCharacter = Code("controlCharacter")
        /// The bytes aren't valid UTF-8.
        public static let invalidUTF8 = Code("invalidUTF8")
        /// The UTF-16 or UTF-32 is truncated or contains an invalid code unit.
        public static let invalidEncoding = Code("invalidEncoding")
        /// Arrays and objects are nested deeper than the options allow.
        public static let tooDeep = Code("tooDeep")
        /// The text is longer than the options allow.
        public static let tooLarge = Code("tooLarge")
        /// A key occurs more than once in an object, and the options don't allow it.
        public static let duplicateKey = Code("duplicateKey")
        /// The top-level value is a scalar, and the options don't allow it.
        public static let fragment = Code("fragment")
        /// The memory for the document can't be allocated.
        public static let outOfMemory = Code("outOfMemory")
        /// A path, pointer or pattern is malformed.
        public static let invalidPath = Code("invalidPath")
        /// A value to change isn't an array or object as required.
        public static let wrongKind = Code("wrongKind")
        /// No value matches a path or pointer.
        public static let notFound = Code("notFound")
        /// The file or stream failed; see `underlying`.
        public static let unreadable = Code("unreadable")
        /// The code that converts a record threw; see `underlying`.
        public static let record = Code("record")

        var message: String {
            switch self {
            case .empty: "There is no JSON text"
            case .unexpectedEnd: "The JSON text ends inside a value"
            case .unexpectedCharacter: "Unexpected character"
            case .trailingText: "Unexpected text after the value"
            case .invalidNumber: "Malformed number"
            case .invalidEscape: "Malformed escape in a string"
            case .loneSurrogate: "Half of a surrogate pair"
            case .controlCharacter: "Control character in a string"
            case .invalidUTF8: "Malformed UTF-8"
            case .invalidEncoding: "Malformed UTF-16 or UTF-32"
            case .tooDeep: "Arrays and objects are nested too deeply"
            case .tooLarge: "The JSON text is too large"
            case .duplicateKey: "A key occurs twice in one object"
            case .fragment: "The top value is neither an object nor an array"
            case .outOfMemory: "Not enough memory for the document"
            default: name
            }
        }
    }
}
