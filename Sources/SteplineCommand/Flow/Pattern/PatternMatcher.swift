/// Looks for a pattern in a text: all its ways side by side, so that each character is taken once.
///
/// What it costs is bounded by the text's length times the pattern's, whatever they are. Of several matches that begin
/// at one place the one counts that a search with going back would find.
struct PatternMatcher {
    /// The steps were used up.
    struct Exhausted: Error {}

    /// How many entries of its tables are set up in the time of a step.
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
    /// Where the groups of the way that is being followed begin and end.
    private var noted: [Int32]
    private var moves: [Move] = []

    /// Takes steps for the tables that it sets up: those of a large pattern take longer than a search in a short text.
    init(_ program: PatternProgram, _ text: [UInt32], _ steps: PatternSteps) throws(Exhausted) {
        self.program = program
        self.text = text
        self.steps = steps
        let width = (program.groups + 1) * 2
        try steps.spend(program.instructions.count * width / Self.entriesAStep)
        noted = Array(repeating: -1, count: width)
        now = PatternWays(program.instructions.count, width)
        then = PatternWays(program.instructions.count, width)
    }

    /// The first match that begins at or behind a place: the whole, then each group; nil for those that took no part.
    mutating func match(from start: Int) throws(Exhausted) -> [Range<Int>?]? {
        var best: [Int32]?
        var position = start
        now.clear()
        while true {
            // What is open already began further to the left, and comes first.
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
                    // What comes behind a match is worse than it.
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

    /// Adds what is reached from an instruction without taking a character, the best first.
    private mutating func follow(_ start: Int, at position: Int, into ways: PatternWays) throws(Exhausted) {
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

    private func spend(_ count: Int) throws(Exhausted) { try steps.spend(count) }

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

/// The steps that searches for regular expressions may take together.
final class PatternSteps: @unchecked Sendable {  // a step computes its formulas one after the other
    /// The most for all formulas of a step.
    static let standard = 100_000_000

    private var left: Int

    init(_ limit: Int = standard) { left = limit }

    func spend(_ count: Int) throws(PatternMatcher.Exhausted) {
        left -= count
        if left < 0 { throw PatternMatcher.Exhausted() }
    }
}

/// The ways that are open at a place of the text, each at an instruction, the best first.
private final class PatternWays {
    private(set) var places: [Int] = []
    private var round = 0
    /// Of each instruction the latest round in which it was reached.
    private var reached: [Int]
    /// What each way has noted, by its instruction.
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

    /// Whether an instruction is reached for the first time.
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
