import SteplineJSON

/// Bounds the memory that the expressions of one step take, and ends them once the step is cancelled.
///
/// A value that an expression only passes on costs nothing. A value that it puts together costs its size. Parts that a
/// step takes of its input cost nothing until they are larger than the input together, and neither do parts that
/// expressions have paid for: only a part that is taken many times is made.
final class ExpressionBudget: @unchecked Sendable {  // a step computes its expressions one after the other
    /// The most that the expressions of one step may make, in bytes.
    static let standard = 64 << 20
    /// The number of operations between two checks for cancellation.
    private static let interval = 64
    /// The bytes that all parts together may have before the size of the input is computed.
    private static let small = 1 << 20

    private let limit: Int
    private let input: FlowValue?
    /// The size of the input, once it matters.
    private var inputSize: Int?
    /// The bytes that expressions have made.
    private(set) var spent = 0
    /// The size of all parts that were taken.
    private var taken = 0
    /// The bytes that were copied at no cost.
    private var copied = 0
    private var untilCheck = interval
    /// The steps that all regular expressions may take together.
    let patternSteps = PatternSteps()
    private let checkCancellation: @Sendable () throws -> Void

    /// Makes a budget for a step with this input; `checkCancellation` throws once the step is cancelled.
    init(
        _ limit: Int = standard, input: FlowValue? = nil,
        checkCancellation: @escaping @Sendable () throws -> Void = {}
    ) {
        self.limit = limit
        self.input = input
        self.checkCancellation = checkCancellation
    }

    struct Exceeded: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }

    /// Throws if the step was cancelled; asks every few calls.
    func checkTime() throws {
        untilCheck -= 1
        guard untilCheck <= 0 else { return }
        untilCheck = Self.interval
        try checkCancellation()
    }

    // MARK: Size

    /// The bytes that were made in all, with those that were copied at no cost.
    var made: Int { spent + copied }

    /// Counts bytes that were copied at no cost.
    func note(copied bytes: Int) { copied += bytes }

    /// Charges a value of this size, before it is made.
    func spend(_ bytes: Int) throws(Exceeded) {
        guard bytes <= limit - spent else {
            throw Exceeded(
                message: "the value would be too large: formulas of a step may make \(limit >> 20) MB")
        }
        spent += bytes
    }

    /// Charges a value that is about to be copied into another.
    ///
    /// Linear in the value, and in what is left of the budget at most.
    func spend(copying value: JSON) throws(Exceeded) {
        var toVisit = [value]
        while let next = toVisit.popLast() { try spend(Self.ownSize(of: next, &toVisit)) }
    }

    /// Charges a part that the step is about to take, as far as it isn't free.
    func take(_ part: JSON) throws(Exceeded) {
        let size = Self.size(of: part)
        taken += size
        guard taken > Self.small else { return note(copied: size) }
        let known = inputSize ?? input?.size ?? 0
        inputSize = known
        // `spent` includes what earlier parts have cost, so that no byte is charged twice.
        let beyond = min(size, max(0, taken - known - spent))
        note(copied: size - beyond)
        try spend(beyond)
    }

    /// Charges a part that an expression has given; the error has its place.
    func take(_ part: JSON, at offset: Int) throws(ExpressionError) {
        do {
            try take(part)
        } catch {
            throw ExpressionError(offset: offset, message: error.message)
        }
    }

    /// Makes a list of parts.
    func list(_ parts: [JSON]) throws -> JSON {
        for part in parts { try take(part) }
        return try JSON(elements: parts)
    }

    /// The size of a value in bytes, about.
    static func size(of value: JSON) -> Int {
        var size = 0
        var toVisit = [value]
        while let next = toVisit.popLast() { size += ownSize(of: next, &toVisit) }
        return size
    }

    /// The size of a value without those in it, which are added to `inside`.
    private static func ownSize(of value: JSON, _ inside: inout [JSON]) -> Int {
        switch value.kind {
        case .null, .bool, .number: return node
        case .string: return node + (value.string?.utf8.count ?? 0)
        case .array:
            inside += value.elements
            return node
        case .object:
            var size = node
            for (key, member) in value.members {
                size += key.utf8.count
                inside.append(member)
            }
            return size
        }
    }

    /// The size of a value beside its text.
    static let node = 16
}

extension FlowValue {
    /// The size in memory in bytes, about.
    var size: Int {
        switch self {
        case .json(let json): ExpressionBudget.size(of: json)
        case .bytes(let data, _): data.count
        case .document(let document): document.size
        }
    }
}
