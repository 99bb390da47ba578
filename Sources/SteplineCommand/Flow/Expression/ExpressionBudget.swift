import SteplineJSON

/// Limits the memory of one step's expressions, and stops them once the step is cancelled.
///
/// | value | cost |
/// |---|---|
/// | passed on unchanged | nothing |
/// | constructed | its size |
/// | a part of the input | nothing, until all parts together exceed the input |
///
/// The last rule permits taking the input apart once, but not many times. Parts that expressions have already paid for
/// count as input. Not thread-safe: a step evaluates its expressions one after the other.
final class ExpressionBudget: @unchecked Sendable {  // a step evaluates its expressions one after the other
    /// The largest number of bytes that one step's expressions may construct.
    static let standard = 64 << 20
    /// The number of operations between two checks for cancellation.
    private static let interval = 64
    /// The total size of parts below which the input's size isn't computed.
    private static let small = 1 << 20

    private let limit: Int
    private let input: FlowValue?
    /// The size of the input, computed when needed.
    private var inputSize: Int?
    /// The number of constructed bytes.
    private(set) var spent = 0
    /// The total size of all parts taken.
    private var taken = 0
    /// The number of bytes copied free of charge.
    private var copied = 0
    private var untilCheck = interval
    /// The shared step budget of all regular expressions.
    let patternSteps = PatternSteps()
    private let checkCancellation: @Sendable () throws -> Void

    /// Creates a budget for a step.
    ///
    /// - Parameters:
    ///   - limit: The largest number of constructed bytes.
    ///   - input: The step's input.
    ///   - checkCancellation: Throws once the step is cancelled.
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

    /// Throws if the step was cancelled; checks at intervals.
    func checkTime() throws {
        untilCheck -= 1
        guard untilCheck <= 0 else { return }
        untilCheck = Self.interval
        try checkCancellation()
    }

    // MARK: Size

    /// The number of constructed bytes, including free copies.
    var made: Int { spent + copied }

    /// Adds bytes that were copied free of charge.
    func note(copied bytes: Int) { copied += bytes }

    /// Charges bytes before they are constructed.
    func spend(_ bytes: Int) throws(Exceeded) {
        guard bytes <= limit - spent else {
            throw Exceeded(
                message: "the value would be too large: formulas of a step may make \(limit >> 20) MiB")
        }
        spent += bytes
    }

    /// Charges a value before it is copied into another value.
    ///
    /// The time is linear in the value, and at most in the remaining budget.
    func spend(copying value: JSON) throws(Exceeded) {
        var toVisit = [value]
        while let next = toVisit.popLast() { try spend(Self.ownSize(of: next, &toVisit)) }
    }

    /// Charges a part before it is taken, unless it is free.
    func take(_ part: JSON) throws(Exceeded) {
        let size = Self.size(of: part)
        taken += size
        guard taken > Self.small else { return note(copied: size) }
        let known = inputSize ?? input?.size ?? 0
        inputSize = known
        // `spent` includes paid parts, so that no byte is charged twice.
        let beyond = min(size, max(0, taken - known - spent))
        note(copied: size - beyond)
        try spend(beyond)
    }

    /// Charges a part of an expression's result; the error has the expression's place.
    func take(_ part: JSON, at offset: Int) throws(ExpressionError) {
        do {
            try take(part)
        } catch {
            throw ExpressionError(offset: offset, message: error.message)
        }
    }

    /// Creates a list of parts, charging each.
    func list(_ parts: [JSON]) throws -> JSON {
        for part in parts { try take(part) }
        return try JSON(elements: parts)
    }

    /// Returns the approximate size of a value in bytes.
    static func size(of value: JSON) -> Int {
        var size = 0
        var toVisit = [value]
        while let next = toVisit.popLast() { size += ownSize(of: next, &toVisit) }
        return size
    }

    /// Returns the size of a value without nested values, which are added to `inside`.
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

    /// The size of a value without its text.
    static let node = 16
}

extension FlowValue {
    /// The approximate size in memory in bytes.
    var size: Int {
        switch self {
        case .json(let json): ExpressionBudget.size(of: json)
        case .bytes(let data, _): data.count
        case .document(let document): document.size
        }
    }
}
