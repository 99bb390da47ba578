import SteplineJSON

/// How much the formulas of one step may make: a file of a few lines must not fill the memory.
///
/// What a formula only passes on doesn't count, nor what it reads; what it puts together does.
final class ExpressionBudget {
    /// The most that formulas of one step may make, in bytes.
    static let standard = 64 << 20

    private let limit: Int
    private var left: Int

    init(_ limit: Int = standard) {
        self.limit = limit
        left = limit
    }

    struct Exceeded: Error {
        let message: String
    }

    /// Something so large is about to be made.
    func spend(_ bytes: Int) throws(Exceeded) {
        guard bytes <= left else {
            throw Exceeded(
                message: "the value would be too large: formulas of a step may make \(limit >> 20) MB")
        }
        left -= bytes
    }

    /// A value is about to be copied into another.
    ///
    /// Linear in the value, and in what is left of the budget at most.
    func spend(copying value: JSON) throws(Exceeded) {
        var toVisit = [value]
        while let next = toVisit.popLast() {
            switch next.kind {
            case .null, .bool, .number: try spend(Self.node)
            case .string: try spend(Self.node + (next.string?.utf8.count ?? 0))
            case .array:
                try spend(Self.node)
                toVisit += next.elements
            case .object:
                try spend(Self.node)
                for (key, member) in next.members {
                    try spend(key.utf8.count)
                    toVisit.append(member)
                }
            }
        }
    }

    /// What a value takes beside its text.
    private static let node = 16
}
