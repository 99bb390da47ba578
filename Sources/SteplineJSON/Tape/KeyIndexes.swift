import SteplineSupport

/// Hash tables of the keys of large objects, each built when the object is first searched.
final class KeyIndexes: Sendable {
    /// The minimum number of members for a hash table; smaller objects are searched linearly.
    ///
    /// For parsed objects only. An edited object has a dictionary of its own, from `EditedContainer.fewMembers` on.
    static let threshold = 48

    private let tables = Locked<[Int: [Int32]]>([:])

    /// Returns the index of a key's word in the object at `object`; nil if missing.
    func find(_ key: UnsafeBufferPointer<UInt8>, in object: Int, of tape: Tape) -> Int? {
        let slots = tables.withLock { tables in
            if let known = tables[object] { return known }
            let made = KeyIndexes.table(of: object, in: tape)
            tables[object] = made
            return made
        }
        var slot = KeyIndexes.home(of: key, slots.count)
        while slots[slot] != 0 {  // no key has index 0
            let index = Int(slots[slot])
            if tape.isText(tape[index], equalTo: key) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func home(of key: UnsafeBufferPointer<UInt8>, _ count: Int) -> Int {
        Int(truncatingIfNeeded: KeyHash.full(key)) & (count - 1)
    }

    /// Builds an open-addressed table that is at most half full.
    private static func table(of object: Int, in tape: Tape) -> [Int32] {
        var count = 16
        while count < tape[object].lower * 2 { count *= 2 }
        var slots = [Int32](repeating: 0, count: count)
        var index = object + 1
        for _ in 0..<tape[object].lower {
            let word = tape[index]
            var text = word.isEscaped ? tape.text(word) : ""
            var slot =
                word.isEscaped ? text.withUTF8 { home(of: $0, count) } : home(of: tape.bytes(word), count)
            while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: index)
            index = tape.next(index + 1)
        }
        return slots
    }
}
