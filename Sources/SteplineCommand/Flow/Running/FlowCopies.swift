import SteplineJSON

/// What a step puts together of parts that are there already, such as what it selects.
///
/// As much as the step gets costs nothing, and neither does what formulas have made and paid for. What is beyond, as the
/// same part is taken many times, is made.
struct FlowCopies {
    /// So much is free without a look at how large the input is.
    private static let small = 1 << 20

    private let input: FlowValue?
    private let budget: ExpressionBudget
    /// How large the input is, once that matters.
    private var inputSize: Int?
    private var copied = 0

    init(of input: FlowValue?, _ budget: ExpressionBudget) {
        self.input = input
        self.budget = budget
    }

    /// A part is about to be taken; throws if that is too much.
    mutating func take(_ part: JSON) throws(ExpressionBudget.Exceeded) {
        let size = ExpressionBudget.size(of: part)
        copied += size
        guard copied > Self.small else { return budget.note(copied: size) }
        let known = inputSize ?? input?.size ?? 0
        inputSize = known
        // What was beyond before is among what was spent.
        let beyond = min(size, max(0, copied - known - budget.spent))
        budget.note(copied: size - beyond)
        guard beyond > 0 else { return }
        try budget.spend(beyond)
    }

    /// The same for what a formula has given; the error has its place.
    mutating func take(_ part: JSON, at offset: Int) throws(ExpressionError) {
        do {
            try take(part)
        } catch {
            throw ExpressionError(offset: offset, message: error.message)
        }
    }

    /// The parts as a list.
    mutating func list(_ parts: [JSON]) throws -> JSON {
        for part in parts { try take(part) }
        return try JSON(elements: parts)
    }
}

extension FlowValue {
    /// How much it takes in memory, about; in bytes.
    var size: Int {
        switch self {
        case .json(let json): ExpressionBudget.size(of: json)
        case .bytes(let data, _): data.count
        case .document(let document): document.size
        }
    }
}
