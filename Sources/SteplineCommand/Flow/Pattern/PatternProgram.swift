/// A regular expression as instructions for a matcher that reads each character once.
///
/// Back references and look-around aren't supported, since they can't be matched this way.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        /// Reads a character of the set.
        case take(PatternSet)
        /// Continues at both instructions; prefers the first.
        case split(Int, Int)
        case jump(Int)
        /// Records the position: the beginning (even) or the end (odd) of a group.
        case note(Int)
        case assert(Assertion)
        case found
    }

    /// A condition at a position of the text.
    enum Assertion: Sendable {
        case start, end, lineStart, lineEnd, wordEdge, noWordEdge
    }

    /// The largest number of instructions, so that a short text can't create a large program.
    static let most = 20_000
    /// The longest pattern, in bytes.
    static let longest = 4_096

    let instructions: [Instruction]
    /// The number of groups, without the whole.
    let groups: Int
    /// The named groups.
    let names: [(name: String, group: Int)]

    /// The same program for a match of the whole text.
    var whole: PatternProgram {
        var instructions = instructions
        // The last two instructions record the end of the whole and report the match: insert before these.
        instructions.insert(.assert(.end), at: instructions.count - 2)
        return PatternProgram(instructions: instructions, groups: groups, names: names)
    }

    /// A syntax error in a pattern, with its byte offset.
    struct Mistake: Error {
        let offset: Int
        let message: String
        var hint: String?
    }
}

/// A set of characters: ranges, or everything else.
struct PatternSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isInverted = false

    /// Returns whether the set contains a character, by binary search; the ranges must be ``merged()``.
    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return (low < ranges.count && ranges[low].lowerBound <= scalar) != isInverted
    }

    /// Returns the set with sorted, separate ranges.
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

    /// Returns the set with both cases of ASCII letters, and of other letters that stand alone.
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

    /// The ranges of the set, sorted and separate, without inversion.
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
