extension JSON: Hashable {
    /// Whether both stand for the same value.
    ///
    /// Numbers are equal if their values are, to the last digit: `1`, `1.0` and `10e-1`. Strings are equal if
    /// their code points are, however they were escaped. Arrays are equal in order, objects in any order.
    public static func == (left: JSON, right: JSON) -> Bool {
        var budget = Int.max
        return left.isEqual(to: right, budget: &budget)
    }

    /// Hashes the value with all that is in it, so that equal values hash alike.
    ///
    /// The hash differs from process to process, so that nobody can choose values that collide. Cost: linear.
    public func hash(into hasher: inout Hasher) { hasher.combine(ValueHash(tape).of(index)) }
}

extension JSON {
    /// Whether both stand for the same value; each pair of values and sixteen bytes of their texts take one off
    /// the budget, and the answer counts only if that isn't overdrawn.
    func isEqual(to other: JSON, budget: inout Int) -> Bool {
        if tape === other.tape, index == other.index { return true }
        var open = [(index, other.index)]
        while budget >= 0, let (mine, theirs) = open.popLast() {
            let (a, b) = (tape[mine], other.tape[theirs])
            guard a.isContainer, b.isContainer else {
                budget -= 1 + min(a.upper, b.upper) >> 4
                guard tape.isScalar(mine, equalTo: theirs, of: other.tape) else { return false }
                continue
            }
            budget -= 1 + a.lower
            guard a.tag == b.tag, a.lower == b.lower else { return false }
            guard tape.pairChildren(mine, theirs, of: other.tape, into: &open) else { return false }
        }
        return true
    }
}

extension Tape {
    /// Whether two values, not both containers, are equal.
    func isScalar(_ mine: Int, equalTo theirs: Int, of other: Tape) -> Bool {
        let (a, b) = (self[mine], other[theirs])
        if a.isNumber, b.isNumber {
            return bytes(a).isEqual(to: other.bytes(b))
                || DecimalDigits(bytes(a)) == DecimalDigits(other.bytes(b))
        }
        if a.isText, b.isText { return isText(a, equalTo: b, of: other) }
        return a.tag == b.tag && !a.isContainer
    }

    func isText(_ mine: Word, equalTo theirs: Word, of other: Tape) -> Bool {
        if !mine.isEscaped { return other.isText(theirs, equalTo: bytes(mine)) }
        if !theirs.isEscaped { return isText(mine, equalTo: other.bytes(theirs)) }
        return text(mine).utf8.elementsEqual(other.text(theirs).utf8)
    }

    /// Adds the pairs of children to compare; false if a key of one is missing in the other.
    fileprivate func pairChildren(_ mine: Int, _ theirs: Int, of other: Tape, into open: inout [(Int, Int)])
        -> Bool
    {
        var left = mine + 1
        var right = theirs + 1
        let end = mine + self[mine].upper
        guard self[mine].isObject else {
            while left < end {
                open.append((left, right))
                left = next(left)
                right = other.next(right)
            }
            return true
        }
        while left < end {
            let isInStep =
                right < theirs + other[theirs].upper && isText(self[left], equalTo: other[right], of: other)
            let found = isInStep ? right + 1 : other.value(under: text(self[left]), in: theirs)
            guard let found else { return false }
            open.append((left + 1, found))
            left = next(left + 1)
            right = other.next(found)
        }
        return true
    }
}
