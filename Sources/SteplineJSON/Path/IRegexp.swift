/// An I-Regexp (RFC 9485): read into a small program that is run for all alternatives at once, so that a
/// match takes time linear in the text, whatever the pattern.
struct IRegexp: Sendable {
    enum Instruction: Sendable {
        case scalar(ScalarSet)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        case end
    }

    let program: [Instruction]

    /// Nil if it is no I-Regexp, or too large a one.
    init?(_ pattern: String) {
        var parser = IRegexpParser(pattern)
        guard let tree = parser.parse() else { return nil }
        var builder = IRegexpBuilder()
        guard builder.add(tree) else { return nil }
        program = builder.instructions + [.end]
    }

    /// Whether the text matches as a whole, or anywhere in it.
    func matches(_ text: String, isWhole: Bool) -> Bool {
        var states = StateSet(program.count)
        var next = StateSet(program.count)
        add(0, to: &states)
        for scalar in text.unicodeScalars {
            if !isWhole, states.contains(program.count - 1) { return true }
            next.removeAll()
            for state in states.members {
                if case .scalar(let set) = program[state], set.contains(scalar) { add(state + 1, to: &next) }
            }
            if !isWhole { add(0, to: &next) }
            swap(&states, &next)
            if states.members.isEmpty { return false }
        }
        return states.contains(program.count - 1)
    }

    /// Adds a place and all that are reached from it without a character.
    private func add(_ start: Int, to states: inout StateSet) {
        var open = [start]
        while let place = open.popLast() {
            guard states.insert(place) else { continue }
            switch program[place] {
            case .jump(let target): open.append(target)
            case .split(let first, let second): open += [second, first]
            case .scalar, .end: break
            }
        }
    }

    private struct StateSet {
        private(set) var members: [Int] = []
        private var isMember: [Bool]

        init(_ count: Int) { isMember = Array(repeating: false, count: count) }

        func contains(_ state: Int) -> Bool { isMember[state] }

        mutating func insert(_ state: Int) -> Bool {
            guard !isMember[state] else { return false }
            isMember[state] = true
            members.append(state)
            return true
        }

        mutating func removeAll() {
            for state in members { isMember[state] = false }
            members.removeAll(keepingCapacity: true)
        }
    }
}

/// Turns a pattern's tree into a program.
struct IRegexpBuilder {
    private(set) var instructions: [IRegexp.Instruction] = []
    /// Repetitions are written out, so that nested ones could grow without end.
    private static let limit = 10_000

    mutating func add(_ node: IRegexpNode) -> Bool {
        guard instructions.count < IRegexpBuilder.limit else { return false }
        switch node {
        case .scalar(let set):
            instructions.append(.scalar(set))
        case .sequence(let parts):
            for part in parts where !add(part) { return false }
        case .alternatives(let branches):
            return addAlternatives(branches)
        case .repetition(let inner, let least, let most):
            return addRepetition(inner, least, most)
        }
        return true
    }

    private mutating func addAlternatives(_ branches: [IRegexpNode]) -> Bool {
        var jumps: [Int] = []
        for (number, branch) in branches.enumerated() {
            let split = instructions.count
            let isLast = number == branches.count - 1
            if !isLast { instructions.append(.end) }
            guard add(branch) else { return false }
            guard !isLast else { break }
            jumps.append(instructions.count)
            instructions.append(.end)
            instructions[split] = .split(split + 1, instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
        return true
    }

    private mutating func addRepetition(_ inner: IRegexpNode, _ least: Int, _ most: Int?) -> Bool {
        guard least <= IRegexpBuilder.limit, most ?? 0 <= IRegexpBuilder.limit else { return false }
        for _ in 0..<least where !add(inner) { return false }
        guard let most else {
            let split = instructions.count
            instructions.append(.end)
            guard add(inner) else { return false }
            instructions.append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return true
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(instructions.count)
            instructions.append(.end)
            guard add(inner) else { return false }
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
        return true
    }
}
