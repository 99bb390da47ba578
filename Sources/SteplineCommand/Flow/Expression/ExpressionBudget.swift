import SteplineJSON

/// How much the formulas of one step may make and look at: a file of a few lines must neither fill the memory nor run for
/// hours.
///
/// What a formula only passes on isn't made; what it puts together is. What it looks at are its own parts, elements of
/// lists, members, and texts by the piece.
final class ExpressionBudget: @unchecked Sendable {  // a step computes its formulas one after the other
    /// The most that formulas of one step may make, in bytes.
    static let standard = 64 << 20
    /// The most that they may look at.
    static let standardVisits = 100_000_000
    /// How many bytes of a text count as one value that is looked at.
    private static let piece = 16
    /// After how many it is asked again whether the step was cancelled.
    private static let interval = 4096

    private let limit: Int
    private var left: Int
    private let mostVisits: Int
    private var visitsLeft: Int
    private var visitsUntilCheck = interval
    /// The steps that all regular expressions may take together.
    let patternSteps = PatternSteps()
    /// How much was copied at no cost.
    private var copied = 0
    private let checkCancellation: @Sendable () throws -> Void

    /// `checkCancellation` is asked now and then, and throws once nobody wants the value any more.
    init(
        _ limit: Int = standard, visits: Int = standardVisits,
        checkCancellation: @escaping @Sendable () throws -> Void = {}
    ) {
        self.limit = limit
        left = limit
        mostVisits = visits
        visitsLeft = visits
        self.checkCancellation = checkCancellation
    }

    struct Exceeded: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }

    // MARK: Making

    /// How much formulas have made of what they may.
    var spent: Int { limit - left }

    /// How much was made in all, with what was only copied.
    var made: Int { spent + copied }

    /// So much was copied of what is there already, which costs nothing.
    func note(copied bytes: Int) { copied += bytes }

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
        while let next = toVisit.popLast() { try spend(Self.ownSize(of: next, &toVisit)) }
    }

    /// How much a value takes, about; in bytes.
    static func size(of value: JSON) -> Int {
        var size = 0
        var toVisit = [value]
        while let next = toVisit.popLast() { size += ownSize(of: next, &toVisit) }
        return size
    }

    /// What a value takes without those in it, which are added to `inside`.
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

    /// What a value takes beside its text.
    static let node = 16

    // MARK: Looking

    /// So many values are about to be looked at; throws what `checkCancellation` throws as well.
    func visit(_ count: Int) throws {
        guard count <= visitsLeft else {
            throw Exceeded(
                message: "this would take too long: formulas of a step may look at "
                    + "\(mostVisits / 1_000_000) million values")
        }
        visitsLeft -= count
        visitsUntilCheck -= count
        guard visitsUntilCheck <= 0 else { return }
        visitsUntilCheck = Self.interval
        try checkCancellation()
    }

    /// A function is about to be called.
    func visit(_ arguments: [JSON], of function: FlowFunction) throws {
        if function.takesPattern, arguments.count > 1 {
            // Each piece of the text may meet each part of the pattern, which takes longer than to look at it.
            return try visit(4 * size(of: arguments[0]) * size(of: arguments[1]))
        }
        for argument in arguments {
            if function.comparesWhole { try visit(all: argument) } else { try visit(size(of: argument)) }
        }
    }

    /// A value is about to be looked at with all that is in it.
    func visit(all value: JSON) throws {
        var toVisit = [value]
        while let next = toVisit.popLast() {
            try visit(size(of: next))
            switch next.kind {
            case .array: toVisit += next.elements
            case .object: toVisit += next.members.map(\.value)
            default: break
            }
        }
    }

    /// How much there is in a value itself.
    private func size(of value: JSON) -> Int {
        switch value.kind {
        case .null, .bool, .number: 1
        case .string: 1 + (value.string?.utf8.count ?? 0) / Self.piece
        case .array, .object: 1 + value.count
        }
    }
}
