extension JSON: Hashable {
    /// Whether both stand for the same value.
    ///
    /// Numbers are equal if their values are, to the last digit: `1`, `1.0` and `10e-1`. Strings are equal if
    /// their code points are, however they were escaped. Arrays are equal in order, objects in any order.
    public static func == (left: JSON, right: JSON) -> Bool {
        if left.tape === right.tape, left.index == right.index { return true }
        var open = [(left.index, right.index)]
        while let (mine, theirs) = open.popLast() {
            let (a, b) = (left.tape[mine], right.tape[theirs])
            guard a.isContainer, b.isContainer else {
                guard left.tape.isScalar(mine, equalTo: theirs, of: right.tape) else { return false }
                continue
            }
            guard a.tag == b.tag, a.lower == b.lower else { return false }
            guard left.tape.pairChildren(mine, theirs, of: right.tape, into: &open) else { return false }
        }
        return true
    }

    /// Hashes the value so that equal values hash alike.
    ///
    /// Cost: linear.
    public func hash(into hasher: inout Hasher) {
        // The order of members doesn't count, so that their hashes are added up; nested ones by their shape only.
        hasher.combine(kind)
        switch word.kind {
        case .object:
            hasher.combine(count)
            hasher.combine(members.reduce(0) { $0 &+ $1.key.utf8.reduce(0) { $0 &* 31 &+ Int($1) } })
        case .array:
            hasher.combine(count)
            for element in elements where !element.word.isContainer { element.hash(into: &hasher) }
        case .integer, .real: hasher.combine(DecimalDigits(tape.bytes(word)))
        case .text, .escapedText: hasher.combine(contentsOf: tape.text(word).utf8)
        case .yes: hasher.combine(true)
        case .no: hasher.combine(false)
        case .null: break
        }
    }
}

extension Hasher {
    fileprivate mutating func combine(contentsOf bytes: String.UTF8View) {
        combine(bytes.count)
        for byte in bytes { combine(byte) }
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
