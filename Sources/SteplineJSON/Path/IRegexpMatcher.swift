/// Runs a pattern over texts: all alternatives at once, so that no pattern takes more than its size for a
/// character.
///
/// Sets of places that occur are remembered as states with their transitions for ASCII, so that most
/// characters take one look-up. Used by one thread.
final class IRegexpMatcher {
    private struct State {
        let places: [Int32]
        /// Whether the end is reached here, and whether it is if the text ends here.
        let isMatch: Bool
        let isMatchAtEnd: Bool
    }

    private static let unknown: Int32 = -1
    /// The states are forgotten when there are more, or more places in them.
    private static let maximumStates = 1000
    private static let maximumPlaces = 1_000_000

    private let regexp: IRegexp
    private let isWhole: Bool
    private var states: [State] = []
    private var placeCount = 0
    private var known: [[Int32]: Int32] = [:]
    /// The next state for each state and ASCII character.
    private var transitions: [Int32] = []
    /// The number of the last set that each place was added to.
    private var marks: [Int32]
    private var mark: Int32 = 0
    /// How many places were looked at.
    private var effort = 0

    init(_ regexp: IRegexp, isWhole: Bool) {
        self.regexp = regexp
        self.isWhole = isWhole
        marks = Array(repeating: 0, count: regexp.program.count)
    }

    /// Whether the text, in valid UTF-8, matches as a whole, or anywhere in it.
    ///
    /// What it takes is taken off the budget; the answer counts only if something is left.
    func matches(_ text: UnsafeBufferPointer<UInt8>, budget: inout Int) -> Bool {
        if states.isEmpty { start() }
        var state: Int32 = 0
        var index = 0
        while index < text.count, budget >= 0 {
            if !isWhole, states[Int(state)].isMatch { return true }
            if isWhole, states[Int(state)].places.isEmpty { return false }
            let byte = text[index]
            if byte < 0x80 {
                let next = transitions[Int(state) &* 128 &+ Int(byte)]
                state = next == IRegexpMatcher.unknown ? learn(state, byte) : next
                index &+= 1
            } else {
                let (scalar, length) = IRegexpMatcher.scalar(text, index)
                state = step(state, scalar)
                index &+= length
            }
            budget &-= 1 &+ effort
            effort = 0
        }
        return states[Int(state)].isMatchAtEnd
    }

    private func start() {
        let initial = places { add(0, isAtStart: true, isAtEnd: false, to: &$0) }
        append(initial, isAtStart: true)
    }

    private func learn(_ state: Int32, _ byte: UInt8) -> Int32 {
        let before = states.count
        let next = step(state, Unicode.Scalar(byte))
        // If the states were forgotten on the way, this one has no number any more.
        if states.count >= before { transitions[Int(state) * 128 + Int(byte)] = next }
        return next
    }

    /// The state behind a character.
    private func step(_ state: Int32, _ scalar: Unicode.Scalar) -> Int32 {
        let current = states[Int(state)].places
        effort += current.count
        let next = places { result in
            for place in current {
                guard case .scalar(let set) = regexp.program[Int(place)], regexp.sets[set].contains(scalar)
                else { continue }
                add(Int(place) + 1, isAtStart: false, isAtEnd: false, to: &result)
            }
            if !isWhole { add(0, isAtStart: false, isAtEnd: false, to: &result) }
        }
        if let number = known[next] { return number }
        placeCount += next.count
        if states.count > IRegexpMatcher.maximumStates || placeCount > IRegexpMatcher.maximumPlaces {
            forget()
        }
        let number = append(next, isAtStart: false)
        known[next] = number
        return number
    }

    private func forget() {
        states.removeSubrange(1...)
        transitions.removeSubrange(128...)
        for index in transitions.indices { transitions[index] = IRegexpMatcher.unknown }
        known = [:]
        placeCount = 0
    }

    @discardableResult
    private func append(_ found: [Int32], isAtStart: Bool) -> Int32 {
        let last = Int32(regexp.program.count - 1)
        let atEnd = places { result in
            for place in found {
                add(Int(place), isAtStart: isAtStart, isAtEnd: true, to: &result)
            }
        }
        states.append(
            State(places: found, isMatch: found.contains(last), isMatchAtEnd: atEnd.contains(last)))
        transitions += repeatElement(IRegexpMatcher.unknown, count: 128)
        return Int32(states.count - 1)
    }

    private func places(_ fill: (inout [Int32]) -> Void) -> [Int32] {
        if mark == .max {
            mark = 0
            for index in marks.indices { marks[index] = 0 }
        }
        mark += 1
        var result: [Int32] = []
        fill(&result)
        return result
    }

    /// Adds what is reached from a place without a character: where one is taken, where the text's end is
    /// waited for, and the pattern's end.
    private func add(_ start: Int, isAtStart: Bool, isAtEnd: Bool, to result: inout [Int32]) {
        var open = [start]
        while let place = open.popLast() {
            guard marks[place] != mark else { continue }
            marks[place] = mark
            effort += 1
            switch regexp.program[place] {
            case .jump(let target): open.append(target)
            case .split(let first, let second): open += [second, first]
            case .textStart: if isAtStart { open.append(place + 1) }
            case .textEnd where isAtEnd: open.append(place + 1)
            case .textEnd, .scalar, .end: result.append(Int32(place))
            }
        }
    }

    private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Unicode.Scalar, Int) {
        let first = text[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length where index + offset < text.count {
            value = value << 6 | UInt32(text[index + offset] & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
