/// Searches a text for a pattern by simulating all alternatives in parallel (a Pike machine).
///
/// Each character is read once, without backtracking. The cost is bounded by the length of the text times the length of
/// the pattern. Among matches at the same position, the one that a backtracking search finds first wins: `PatternWays`
/// keeps alternatives in order of preference.
struct PatternMatcher {
    /// The number of table entries initialized for the cost of one step.
    private static let entriesAStep = 16

    private enum Move {
        case visit(Int)
        case restore(Int, Int32)
    }

    private let program: PatternProgram
    private let text: [UInt32]
    private var now: PatternWays
    private var then: PatternWays
    private let steps: PatternSteps
    /// The group positions of the alternative that is being followed.
    private var noted: [Int32]
    private var moves: [Move] = []

    /// Creates a matcher; charges steps for its tables, which for large patterns cost more than searching a short text.
    init(_ program: PatternProgram, _ text: [UInt32], _ steps: PatternSteps) throws(FlowFunction.Misuse) {
        self.program = program
        self.text = text
        self.steps = steps
        let width = (program.groups + 1) * 2
        try steps.spend(program.instructions.count * width / Self.entriesAStep)
        noted = Array(repeating: -1, count: width)
        now = PatternWays(program.instructions.count, width)
        then = PatternWays(program.instructions.count, width)
    }

    /// Returns the first match at or after a position: the whole, then each group; nil for groups that didn't match.
    mutating func match(from start: Int) throws(FlowFunction.Misuse) -> [Range<Int>?]? {
        var best: [Int32]?
        var position = start
        now.clear()
        while true {
            // Start a new alternative at each position until a match is found; earlier starts have priority.
            if best == nil {
                for number in noted.indices { noted[number] = -1 }
                try follow(0, at: position, into: now)
            } else if now.places.isEmpty {
                break
            }
            then.clear()
            ways: for place in now.places {
                try spend(1)
                guard case .take(let set) = program.instructions[place] else {
                    // Alternatives after this one have lower priority.
                    now.copyNotes(at: place, to: &noted)
                    best = noted
                    break ways
                }
                guard position < text.count, set.contains(text[position]) else { continue }
                now.copyNotes(at: place, to: &noted)
                try follow(place + 1, at: position + 1, into: then)
            }
            swap(&now, &then)
            guard position < text.count else { break }
            position += 1
        }
        return best.map { best in
            stride(from: 0, to: best.count, by: 2).map { place in
                best[place] >= 0 && best[place + 1] >= 0 ? Int(best[place])..<Int(best[place + 1]) : nil
            }
        }
    }

    /// Adds all alternatives reachable without reading a character, in order of preference.
    private mutating func follow(
        _ start: Int, at position: Int, into ways: PatternWays
    ) throws(FlowFunction.Misuse) {
        moves.append(.visit(start))
        while let move = moves.popLast() {
            switch move {
            case .restore(let number, let before): noted[number] = before
            case .visit(let place):
                guard ways.reach(place) else { continue }
                try spend(1)
                switch program.instructions[place] {
                case .jump(let next): moves.append(.visit(next))
                case .split(let first, let second):
                    moves.append(.visit(second))
                    moves.append(.visit(first))
                case .note(let number):
                    moves.append(.restore(number, noted[number]))
                    noted[number] = Int32(position)
                    moves.append(.visit(place + 1))
                case .assert(let assertion):
                    if holds(assertion, at: position) { moves.append(.visit(place + 1)) }
                case .take, .found:
                    try spend(noted.count)
                    ways.add(place, noted)
                }
            }
        }
    }

    private func spend(_ count: Int) throws(FlowFunction.Misuse) { try steps.spend(count) }

    private func holds(_ assertion: PatternProgram.Assertion, at position: Int) -> Bool {
        func isWord(_ place: Int) -> Bool {
            text.indices.contains(place) && PatternSet.word.contains(text[place])
        }
        switch assertion {
        case .start: return position == 0
        case .end: return position == text.count
        case .lineStart: return position == 0 || text[position - 1] == 0x0A
        case .lineEnd: return position == text.count || text[position] == 0x0A
        case .wordEdge: return isWord(position - 1) != isWord(position)
        case .noWordEdge: return isWord(position - 1) == isWord(position)
        }
    }
}

/// The step budget that regular expressions share.
final class PatternSteps: @unchecked Sendable {  // a step evaluates its formulas one after the other
    /// The budget for all formulas of a step.
    static let standard = 100_000_000

    private var left: Int

    init(_ limit: Int = standard) { left = limit }

    func spend(_ count: Int) throws(FlowFunction.Misuse) {
        left -= count
        if left < 0 {
            throw FlowFunction.Misuse(message: "the pattern is too much work for these texts")
        }
    }
}

/// The active alternatives at a text position, each at an instruction, in order of preference.
private final class PatternWays {
    private(set) var places: [Int] = []
    private var round = 0
    /// The latest round in which each instruction was reached.
    private var reached: [Int]
    /// The group positions of each alternative, by instruction.
    private var notes: [Int32]
    private let width: Int

    init(_ count: Int, _ width: Int) {
        reached = Array(repeating: 0, count: count)
        notes = Array(repeating: -1, count: count * width)
        self.width = width
    }

    func clear() {
        places.removeAll(keepingCapacity: true)
        round += 1
    }

    /// Returns whether an instruction is reached for the first time in this round.
    func reach(_ place: Int) -> Bool {
        guard reached[place] != round else { return false }
        reached[place] = round
        return true
    }

    func add(_ place: Int, _ noted: [Int32]) {
        places.append(place)
        for number in 0..<width { notes[place * width + number] = noted[number] }
    }

    func copyNotes(at place: Int, to noted: inout [Int32]) {
        for number in 0..<width { noted[number] = notes[place * width + number] }
    }
}
