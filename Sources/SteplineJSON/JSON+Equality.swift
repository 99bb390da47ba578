extension JSON: Hashable {
    /// Returns whether both represent the same value.
    ///
    /// Numbers are equal if their values are equal to the last digit: `1`, `1.0` and `10e-1`. Strings are equal if
    /// their code points are, however they were escaped. The order counts in arrays, but not in objects.
    public static func == (left: JSON, right: JSON) -> Bool {
        var budget = Int.max
        return left.isEqual(to: right, budget: &budget)
    }

    /// Hashes the value and all values in it; equal values have equal hashes.
    ///
    /// The hash is seeded per process, so an attacker can't choose colliding values. Cost: linear.
    public func hash(into hasher: inout Hasher) { hasher.combine(ValueHash(tape).of(index)) }
}

extension JSON {
    /// Returns whether both represent the same value, within a budget.
    ///
    /// Each compared pair of values costs 1, and so do sixteen bytes of their texts. The result is valid only if
    /// the budget is not negative afterwards.
    func isEqual(to other: JSON, budget: inout Int) -> Bool {
        // Both are the same place on the same tape.
        if tape === other.tape, index == other.index { return true }
        // Pairs still to compare. An explicit stack instead of recursion: documents may be nested deeply.
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
    /// Returns whether two values are equal, of which at most one is a container.
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

    /// Appends the pairs of children to compare.
    ///
    /// - Returns: False if a key of one object is missing in the other.
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
