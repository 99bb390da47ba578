import Foundation
import SteplineJSON

extension JSON {
    /// The kind with an article, for messages.
    var article: String { kind.article }

    /// The text form inside other text; nil for null, lists and objects.
    var asText: String? {
        switch kind {
        case .string: string
        case .number: literal
        case .bool: bool == true ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Returns whether both values are equal; numbers are compared by value.
    func isSame(as other: JSON) -> Bool {
        if let left = int, let right = other.int { return left == right }
        if let left = double, let right = other.double { return left == right }
        return self == other
    }

    /// Creates a computed number, written without a fraction if it is an integer.
    init(computed number: Double) {
        if let whole = Int(exactly: number), abs(number) < 0x1p53 {
            self.init(whole)
        } else {
            self.init(number)
        }
    }
}

extension JSON.Kind {
    /// The kind with an article, for messages.
    var article: String {
        switch self {
        case .null: "null"
        case .bool: "a truth"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
