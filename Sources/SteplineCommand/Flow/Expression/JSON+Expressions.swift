import Foundation
import SteplineJSON

extension JSON {
    /// What it is, with an article, for messages.
    var article: String { kind.article }

    /// The text that it is in the middle of other text; nil for null, lists and objects, which have none.
    var asText: String? {
        switch kind {
        case .string: string
        case .number: literal
        case .bool: bool == true ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether both are the same value; numbers by what they are worth, not by how they are written.
    func isSame(as other: JSON) -> Bool {
        if let left = int, let right = other.int { return left == right }
        if let left = double, let right = other.double { return left == right }
        return self == other
    }

    /// A number that was computed: without a fraction where it has none.
    init(computed number: Double) {
        if let whole = Int(exactly: number), abs(number) < 0x1p53 {
            self.init(whole)
        } else {
            self.init(number)
        }
    }
}

extension JSON.Kind {
    /// What such a value is, with an article, for messages.
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
