/// The numbers of keys, and the key of each number, with 24 to 40 bytes for a key beside its own text.
///
/// A hash table of numbers with linear probing: the keys stand once, in the order of their numbers.
struct KeyIndex: Sendable {
    private var keys = ContiguousArray<String?>()
    /// One more than a number; 0 for a free slot, -1 for one whose key was removed.
    private var slots = ContiguousArray<Int32>(repeating: 0, count: 8)
    /// The slots that aren't free.
    private var used = 0
    private(set) var count = 0

    /// The number of a key.
    func number(of key: String) -> Int32? {
        let slot = slots[slot(of: key)]
        return slot > 0 ? slot - 1 : nil
    }

    /// The key of a number; nil if it has none.
    func key(of number: Int32) -> String? {
        keys.indices.contains(Int(number)) ? keys[Int(number)] : nil
    }

    /// All numbers that have keys, in ascending order.
    var numbers: [Int32] { slots.lazy.filter { $0 > 0 }.map { $0 - 1 }.sorted() }

    /// Adds an unknown key with the next number, or a later one.
    mutating func add(_ key: String, _ number: Int32) {
        while keys.count < Int(number) { keys.append(nil) }
        keys.append(key)
        if (used + 1) * 3 > slots.count * 2 { rebuild() }
        // A removed key's slot isn't used again before the next rebuilding.
        slots[slot(of: key)] = number + 1
        used += 1
        count += 1
    }

    mutating func remove(_ number: Int32) {
        guard let key = key(of: number) else { return }
        slots[slot(of: key)] = -1
        keys[Int(number)] = nil
        count -= 1
    }

    /// The slot of a key, or the free one where it would be.
    private func slot(of key: String) -> Int {
        var slot = key.hashValue & (slots.count - 1)
        while slots[slot] != 0, slots[slot] < 0 || keys[Int(slots[slot]) - 1] != key {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func rebuild() {
        let numbers = slots.filter { $0 > 0 }
        var size = 8
        while size < (numbers.count + 1) * 3 { size *= 2 }
        slots = ContiguousArray(repeating: 0, count: size)
        for number in numbers {
            if let key = keys[Int(number) - 1] { slots[slot(of: key)] = number }
        }
        used = numbers.count
    }
}
