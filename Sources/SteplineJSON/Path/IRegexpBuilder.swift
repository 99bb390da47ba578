/// The syntax tree of a pattern; an empty sequence matches the empty text.
indirect enum IRegexpNode {
    case scalar(ScalarSet)
    case textStart
    case textEnd
    case sequence([IRegexpNode])
    case alternatives([IRegexpNode])
    case repetition(IRegexpNode, least: Int, most: Int?)

    var isEmpty: Bool {
        guard case .sequence(let parts) = self else { return false }
        return parts.isEmpty
    }

    /// The number of instructions, at most `IRegexp.maximumSize`.
    var size: Int {
        let size =
            switch self {
            case .scalar, .textStart, .textEnd: 1
            case .sequence(let parts): IRegexpNode.sum(parts, extra: 0)
            case .alternatives(let branches): IRegexpNode.sum(branches, extra: 2)
            case .repetition(let inner, let least, let most):
                (inner.size + 1) * min(max(least, most ?? 0) + 2, IRegexp.maximumSize)
            }
        return min(size, IRegexp.maximumSize)
    }

    private static func sum(_ parts: [IRegexpNode], extra: Int) -> Int {
        var sum = 0
        for part in parts where sum < IRegexp.maximumSize { sum += part.size + extra }
        return sum
    }
}

/// Compiles a pattern's syntax tree to a program.
struct IRegexpBuilder {
    private(set) var instructions: [IRegexp.Instruction] = []
    private(set) var sets: [ScalarSet] = []

    mutating func add(_ node: IRegexpNode) {
        switch node {
        case .scalar(let set):
            sets.append(set)
            instructions.append(.scalar(sets.count - 1))
        case .textStart: instructions.append(.textStart)
        case .textEnd: instructions.append(.textEnd)
        case .sequence(let parts): for part in parts { add(part) }
        case .alternatives(let branches): addAlternatives(branches)
        case .repetition(let inner, let least, let most): addRepetition(inner, least, most)
        }
    }

    private mutating func addAlternatives(_ branches: [IRegexpNode]) {
        var jumps: [Int] = []
        for (number, branch) in branches.enumerated() {
            let split = instructions.count
            let isLast = number == branches.count - 1
            if !isLast { instructions.append(.end) }
            add(branch)
            guard !isLast else { break }
            jumps.append(instructions.count)
            instructions.append(.end)
            instructions[split] = .split(split + 1, instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func addRepetition(_ inner: IRegexpNode, _ least: Int, _ most: Int?) {
        for _ in 0..<least { add(inner) }
        guard let most else {
            let split = instructions.count
            instructions.append(.end)
            add(inner)
            instructions.append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(instructions.count)
            instructions.append(.end)
            add(inner)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }
}
