/// A node of a parsed regular expression.
indirect enum PatternNode {
    case nothing
    case set(PatternSet)
    case assertion(PatternProgram.Assertion)
    case group(PatternNode, number: Int)
    case sequence([PatternNode])
    case either([PatternNode])
    case many(PatternNode, least: Int, most: Int?, isGreedy: Bool)
}

/// Compiles a pattern to instructions.
struct PatternCompiler {
    typealias Instruction = PatternProgram.Instruction

    private var instructions: [Instruction] = []

    /// Returns the instructions; throws if there are too many.
    static func instructions(for node: PatternNode) throws(PatternProgram.Mistake) -> [Instruction] {
        var compiler = PatternCompiler()
        try compiler.add(.note(0))
        try compiler.compile(node)
        try compiler.add(.note(1))
        try compiler.add(.found)
        return compiler.instructions
    }

    private mutating func add(_ instruction: Instruction) throws(PatternProgram.Mistake) {
        guard instructions.count < PatternProgram.most else {
            throw PatternProgram.Mistake(offset: 0, message: "the pattern is too large: repeat less")
        }
        instructions.append(instruction)
    }

    private mutating func compile(_ node: PatternNode) throws(PatternProgram.Mistake) {
        switch node {
        case .nothing: break
        case .set(let set): try add(.take(set))
        case .assertion(let assertion): try add(.assert(assertion))
        case .group(let inner, let number):
            try add(.note(number * 2))
            try compile(inner)
            try add(.note(number * 2 + 1))
        case .sequence(let parts): for part in parts { try compile(part) }
        case .either(let choices): try compile(choices: choices)
        case .many(let inner, let least, let most, let isGreedy):
            let before = instructions.count
            for _ in 0..<least {
                try compile(inner)
                // Repeating an empty pattern is still empty.
                if instructions.count == before { return }
            }
            guard let most else { return try loop(inner, isGreedy) }
            var splits: [Int] = []
            for _ in least..<max(most, least) {
                splits.append(instructions.count)
                try add(.jump(0))
                try compile(inner)
            }
            for split in splits { fork(at: split, to: split + 1, or: instructions.count, isGreedy) }
        }
    }

    private mutating func compile(choices: [PatternNode]) throws(PatternProgram.Mistake) {
        var ends: [Int] = []
        for (number, choice) in choices.enumerated() {
            let split = instructions.count
            let isLast = number == choices.count - 1
            if !isLast { try add(.jump(0)) }
            try compile(choice)
            guard !isLast else { continue }
            ends.append(instructions.count)
            try add(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func loop(_ inner: PatternNode, _ isGreedy: Bool) throws(PatternProgram.Mistake) {
        let start = instructions.count
        try add(.jump(0))
        try compile(inner)
        try add(.jump(start))
        fork(at: start, to: start + 1, or: instructions.count, isGreedy)
    }

    private mutating func fork(at place: Int, to body: Int, or past: Int, _ isGreedy: Bool) {
        instructions[place] = isGreedy ? .split(body, past) : .split(past, body)
    }
}
