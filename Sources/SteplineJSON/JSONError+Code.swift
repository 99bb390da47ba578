extension JSONError {
    /// The kind of a problem; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        init(_ name: String) { self.name = name }

        /// The code's name.
        public var description: String { name }

        /// There is no text at all, or only white space.
        public static let empty = Code("empty")
        /// The text ends inside a value.
        public static let unexpectedEnd = Code("unexpectedEnd")
        /// A character that can't stand where it is.
        public static let unexpectedCharacter = Code("unexpectedCharacter")
        /// Something follows the document's value.
        public static let trailingText = Code("trailingText")
        /// A number that isn't written as JSON has it.
        public static let invalidNumber = Code("invalidNumber")
        /// An escape that JSON doesn't have.
        public static let invalidEscape = Code("invalidEscape")
        /// Half of a surrogate pair, as an escape or in UTF-16 or UTF-32.
        public static let loneSurrogate = Code("loneSurrogate")
        /// An unescaped control character inside a string.
        public static let controlCharacter = Code("controlCharacter")
        /// Bytes that aren't UTF-8.
        public static let invalidUTF8 = Code("invalidUTF8")
        /// UTF-16 or UTF-32 that is cut or holds no Unicode scalar.
        public static let invalidEncoding = Code("invalidEncoding")
        /// Arrays and objects are nested deeper than the options allow.
        public static let tooDeep = Code("tooDeep")
        /// The text is longer than the options allow.
        public static let tooLarge = Code("tooLarge")
        /// A key stands twice in one object, and the options refuse that.
        public static let duplicateKey = Code("duplicateKey")
        /// The top value is neither an object nor an array, and the options want one.
        public static let fragment = Code("fragment")
        /// The memory for the document can't be had.
        public static let outOfMemory = Code("outOfMemory")
        /// A path, pointer or pattern that can't be read.
        public static let invalidPath = Code("invalidPath")
        /// A value is no array or no object where one is changed as such.
        public static let wrongKind = Code("wrongKind")
        /// Nothing is found at a path or pointer.
        public static let notFound = Code("notFound")
        /// The file or stream that the text comes from failed; see `underlying`.
        public static let unreadable = Code("unreadable")
        /// What makes something of a record threw; see `underlying`.
        public static let record = Code("record")

        var message: String {
            switch self {
            case .empty: "There is no JSON text"
            case .unexpectedEnd: "The JSON text ends inside a value"
            case .unexpectedCharacter: "Unexpected character"
            case .trailingText: "Unexpected text behind the value"
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
