/// A regular expression as instructions for a matcher that takes each character of the text once.
///
/// It knows what can be matched so: no references back, and no looking around.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        /// Takes a character that is one of these.
        case take(PatternSet)
        /// Goes on at both places, first at the first.
        case split(Int, Int)
        case jump(Int)
        /// Notes the place in the text: where a group begins (even) or ends (odd).
        case note(Int)
        case assert(Assertion)
        case found
    }

    /// What must be so at a place of the text.
    enum Assertion: Sendable {
        case start, end, lineStart, lineEnd, wordEdge, noWordEdge
    }

    /// The most instructions, so that a short text can't stand for a large machine.
    static let most = 20_000
    /// The longest pattern, in bytes.
    static let longest = 4_096

    let instructions: [Instruction]
    /// How many groups there are, the whole not among them.
    let groups: Int
    /// The groups that have names.
    let names: [(name: String, group: Int)]

    /// The same where a match must begin and end with the text.
    var whole: PatternProgram {
        var instructions = instructions
        // Before the last two: the end of the whole is noted, and it is found.
        instructions.insert(.assert(.end), at: instructions.count - 2)
        return PatternProgram(instructions: instructions, groups: groups, names: names)
    }

    /// What is wrong with a pattern, and where in it, in bytes.
    struct Mistake: Error {
        let offset: Int
        let message: String
        var hint: String?
    }
}

/// Characters: some ranges, or all but these.
struct PatternSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isInverted = false

    /// Costs the logarithm of the number of ranges, which must be ``merged()``.
    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return (low < ranges.count && ranges[low].lowerBound <= scalar) != isInverted
    }

    /// The same with its ranges in order and apart.
    func merged() -> PatternSet {
        var set = PatternSet(isInverted: isInverted)
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = set.ranges.last, range.lowerBound <= last.upperBound {
                set.ranges[set.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                set.ranges.append(range)
            }
        }
        return set
    }

    /// The same with both cases of every letter of ASCII, or other letters that stand alone.
    func withBothCases() -> PatternSet {
        var set = self
        for range in ranges {
            for (low, shift) in [(UInt32(0x41), Int(0x20)), (0x61, -0x20)] {
                let letters = range.clamped(to: low...(low + 25))
                guard range.overlaps(low...(low + 25)) else { continue }
                set.ranges.append(
                    UInt32(Int(letters.lowerBound) + shift)...UInt32(Int(letters.upperBound) + shift))
            }
            guard range.count == 1, range.lowerBound >= 0x80, let scalar = Unicode.Scalar(range.lowerBound)
            else {
                continue
            }
            for text in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
                guard text.unicodeScalars.count == 1, let other = text.unicodeScalars.first else { continue }
                set.ranges.append(other.value...other.value)
            }
        }
        return set
    }

    static let digits = PatternSet(ranges: [0x30...0x39])
    static let word = PatternSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let blanks = PatternSet(ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0])
    static let anyButNewline = PatternSet(ranges: [0x0A...0x0A], isInverted: true)
    static let any = PatternSet(isInverted: true)

    var inverted: PatternSet { PatternSet(ranges: ranges, isInverted: !isInverted) }

    /// The ranges of what it holds, in order and apart.
    var plainRanges: [ClosedRange<UInt32>] {
        guard isInverted else { return ranges }
        var plain: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { plain.append(next...(range.lowerBound - 1)) }
            next = max(next, range.upperBound + 1)
        }
        if next <= 0x10FFFF { plain.append(next...0x10FFFF) }
        return plain
    }
}
