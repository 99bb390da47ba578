/// Hashes values with all their descendants, without recursion; equal values have equal hashes.
struct ValueHash {
    /// A container whose children are partly hashed.
    private struct Open {
        let index: Int
        var next: Int
        let end: Int
        let isObject: Bool
        var hash: UInt64
    }

    private let tape: Tape

    init(_ tape: Tape) { self.tape = tape }

    func of(_ top: Int) -> UInt64 {
        guard tape[top].isContainer else { return scalar(top) }
        var open = [opened(top)]
        while var container = open.popLast() {
            var inner: Open?
            while inner == nil, container.next < container.end {
                let child = container.isObject ? container.next + 1 : container.next
                if tape[child].isContainer {
                    inner = opened(child)
                } else {
                    add(scalar(child), to: &container)
                }
            }
            if let inner {
                open += [container, inner]
                continue
            }
            let hash = KeyHash.mix(container.hash, UInt64(truncatingIfNeeded: tape[container.index].lower))
            guard !open.isEmpty else { return hash }
            add(hash, to: &open[open.count - 1])
        }
        return 0
    }

    private func opened(_ index: Int) -> Open {
        let word = tape[index]
        return Open(
            index: index, next: index + 1, end: index + word.upper, isObject: word.isObject,
            hash: UInt64(word.tag))
    }

    /// Adds the hash of a child; members are summed, since their order doesn't count.
    private func add(_ hash: UInt64, to container: inout Open) {
        if container.isObject {
            container.hash &+= KeyHash.mix(text(tape[container.next]), hash)
            container.next = tape.next(container.next + 1)
        } else {
            container.hash = KeyHash.mix(container.hash, hash)
            container.next = tape.next(container.next)
        }
    }

    private func scalar(_ index: Int) -> UInt64 {
        let word = tape[index]
        if word.isText { return text(word) }
        if word.isNumber { return number(tape.bytes(word)) }
        return KeyHash.mix(UInt64(word.tag), 1)
    }

    private func text(_ word: Word) -> UInt64 {
        guard word.isEscaped else { return KeyHash.full(tape.bytes(word)) }
        var text = tape.text(word)
        return text.withUTF8 { KeyHash.full($0) }
    }

    private func number(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let digits = DecimalDigits(bytes)
        let sign: UInt64 = digits.isNegative ? 2 : 3
        let power = KeyHash.mix(sign, UInt64(truncatingIfNeeded: digits.exponent))
        return digits.digits.withUnsafeBufferPointer { KeyHash.mix(power, KeyHash.full($0)) }
    }
}
