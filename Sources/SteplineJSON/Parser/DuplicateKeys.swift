import Foundation

/// Detects and removes duplicate keys of objects on the tape, in time linear in the members.
///
/// A bit filter over fingerprints of the keys rules out duplicates for nearly all objects. Only if the filter
/// reports a possible duplicate, or the object is large, the keys go into a hash table.
struct DuplicateKeys {
    /// The maximum number of members for the filter of 1,024 bits; more would cause too many false positives.
    private static let filterLimit = 64
    private static let filterWords = 16

    private let filter = UnsafeMutablePointer<UInt64>.allocate(capacity: DuplicateKeys.filterWords)

    func release() { filter.deallocate() }

    /// Returns false if all keys of the object certainly differ.
    @inline(__always)
    func mayContain(_ words: UnsafeMutablePointer<UInt64>, _ object: Int, _ base: UnsafePointer<UInt8>)
        -> Bool
    {
        let header = Word(raw: words[object])
        if header.lower > DuplicateKeys.filterLimit { return true }
        if header.lower == 2 { return mayBeEqual(words, object, base) }
        filter.update(repeating: 0, count: DuplicateKeys.filterWords)
        var index = object &+ 1
        let end = object &+ header.upper
        while index < end {
            let key = Word(raw: words[index])
            if key.isEscaped { return true }
            let hash = KeyHash.fingerprint(base + key.lower, key.upper)
            let slot = Int(truncatingIfNeeded: hash &>> 60)
            let bit = 1 as UInt64 &<< (hash &>> 54 & 63)
            if filter[slot] & bit != 0 { return true }
            filter[slot] |= bit
            index = index &+ 1 &+ Word(raw: words[index &+ 1]).span
        }
        return false
    }

    @inline(__always)
    private func mayBeEqual(
        _ words: UnsafeMutablePointer<UInt64>, _ object: Int, _ base: UnsafePointer<UInt8>
    ) -> Bool {
        let first = Word(raw: words[object &+ 1])
        let second = Word(raw: words[object &+ 2 &+ Word(raw: words[object &+ 2]).span])
        if first.isEscaped || second.isEscaped { return true }
        return first.upper == second.upper
            && KeyHash.fingerprint(base + first.lower, first.upper)
                == KeyHash.fingerprint(base + second.lower, second.upper)
    }

    /// Returns the index of the first key that repeats an earlier key of the object; nil if there is none.
    func firstDuplicate(
        _ words: UnsafeMutablePointer<UInt64>, _ object: Int, _ base: UnsafePointer<UInt8>
    ) -> Int? {
        var table = KeyTable(members: Word(raw: words[object]).lower)
        defer { table.release() }
        var index = object + 1
        let end = object + Word(raw: words[object]).upper
        while index < end {
            if table.insert(index, words, base) != nil { return index }
            index = index + 1 + Word(raw: words[index + 1]).span
        }
        return nil
    }

    /// Keeps only the last member of each key, at its position, and returns the index after the object.
    func removeEarlier(
        _ words: UnsafeMutablePointer<UInt64>, _ object: Int, _ base: UnsafePointer<UInt8>
    ) -> Int {
        let header = Word(raw: words[object])
        var table = KeyTable(members: header.lower)
        defer { table.release() }
        var dropped: Set<Int> = []
        var index = object + 1
        let end = object + header.upper
        while index < end {
            if let earlier = table.insert(index, words, base) { dropped.insert(earlier) }
            index = index + 1 + Word(raw: words[index + 1]).span
        }
        var target = object + 1
        index = object + 1
        while index < end {
            let length = 1 + Word(raw: words[index + 1]).span
            if !dropped.contains(index) {
                if target != index { memmove(words + target, words + index, length * 8) }
                target += length
            }
            index += length
        }
        words[object] = Word(.object, upper: target - object, lower: header.lower - dropped.count).raw
        return target
    }
}
