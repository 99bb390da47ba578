/// Matches texts against a pattern with an automaton, in time linear in the text.
///
/// The automaton follows all alternatives at once: a state is the set of program places that are reached after a
/// character. States are created on demand and cached with their transitions for ASCII, so that most characters
/// take one look-up. State 0 is the start. Non-ASCII characters always compute the next state.
///
/// Cost of a character: at most the size of the program. The caches are cleared when they exceed
/// `maximumStates` or `maximumPlaces`. A matcher is used by one thread at a time.
final class IRegexpMatcher {
    private struct State {
        let places: [Int32]
        /// Whether the text matches here, and whether it matches if it ends here.
        let isMatch: Bool
        let isMatchAtEnd: Bool
    }

    private static let unknown: Int32 = -1
    /// The limits of the cache, which is cleared beyond them.
    private static let maximumStates = 1000
    private static let maximumPlaces = 1_000_000

    private let regexp: IRegexp
    private let isWhole: Bool
    private var states: [State] = []
    private var placeCount = 0
    private var known: [[Int32]: Int32] = [:]
    /// The next state for each state and ASCII character.
    private var transitions: [Int32] = []
    /// The number of the last set that contains each place, to add a place only once.
    private var marks: [Int32]
    private var mark: Int32 = 0
    /// The number of places examined since the budget was last charged.
    private var effort = 0

    init(_ regexp: IRegexp, isWhole: Bool) {
        self.regexp = regexp
        self.isWhole = isWhole
        marks = Array(repeating: 0, count: regexp.program.count)
    }

    /// Returns whether the text, in valid UTF-8, matches as a whole or contains a match.
    ///
    /// The effort is subtracted from the budget. The result is valid only if the budget isn't negative afterwards.
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
        // `step` may have cleared the cache: then `state` is no longer a valid index.
        if states.count >= before { transitions[Int(state) * 128 + Int(byte)] = next }
        return next
    }

    /// Returns the state after a character, and creates it if necessary.
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

    /// Adds the places that are reached from `start` without consuming a character.
    ///
    /// These are the places that consume a character, those that wait for the end of the text, and the final place.
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
