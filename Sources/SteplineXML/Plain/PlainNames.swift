import CLibXML2

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds names by their bytes and maps them to addresses in libxml2's dictionary.
struct PlainNames {
    typealias Bytes = UnsafePointer<UInt8>

    struct Entry: BitwiseCopyable {
        /// The first and the last eight bytes, which identify short names completely.
        var head: UInt64
        var tail: UInt64
        var count: Int
        var local: Bytes
        var prefix: Bytes?
        /// The length of the prefix, if any.
        var colon: Int
        /// The tag that last contained an attribute with this name.
        var tag = 0
    }

    /// The numbers of entries plus one; 0 is a free slot.
    private var slots: RawBuffer<UInt32>
    private var mask: Int
    private(set) var entries = RawBuffer<Entry>(capacity: 32)
    private let dictionary: xmlDictPtr

    /// The number of collisions after which the table is given up: the names were chosen to collide.
    private static let patience = 64

    init(_ dictionary: xmlDictPtr) {
        self.dictionary = dictionary
        mask = 127
        slots = Self.emptySlots(128)
    }

    func destroy() {
        slots.destroy()
        entries.destroy()
    }

    private static func emptySlots(_ count: Int) -> RawBuffer<UInt32> {
        var slots = RawBuffer<UInt32>(capacity: count)
        for _ in 0..<count { slots.append(0) }
        return slots
    }

    /// Returns the first and last eight bytes; of a shorter name all bytes.
    @inline(__always)
    private static func ends(_ start: Bytes, _ count: Int) -> (UInt64, UInt64) {
        let raw = UnsafeRawPointer(start)
        if count >= 8 {
            return (
                raw.loadUnaligned(as: UInt64.self),
                raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return (
                UInt64(raw.loadUnaligned(as: UInt32.self)),
                UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            )
        }
        return (
            UInt64(start[0]) | UInt64(start[count >> 1]) << 8 | UInt64(start[count &- 1]) << 16, 0
        )
    }

    @inline(__always)
    private static func hash(_ head: UInt64, _ tail: UInt64, _ count: Int) -> Int {
        var bits = head ^ (tail << 29 | tail >> 35) ^ UInt64(truncatingIfNeeded: count) << 56
        bits &*= 0x9E37_79B9_7F4A_7C15
        bits ^= bits >> 29
        bits &*= 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: bits >> 33)
    }

    /// Returns the number of a name; nil if it is invalid, has several colons, or exceeds the limit.
    @inline(__always)
    mutating func number(_ start: Bytes, _ count: Int, colon: Int) -> Int? {
        let (head, tail) = Self.ends(start, count)
        var index = Self.hash(head, tail, count) & mask
        var probes = 0
        while slots.base[index] != 0 {
            let number = Int(slots.base[index]) &- 1
            let entry = entries.base + number
            if entry.pointee.head == head, entry.pointee.tail == tail, entry.pointee.count == count,
                count <= 16 || isSame(number, start, count, colon)
            {
                return number
            }
            index = (index + 1) & mask
            probes += 1
            if probes > Self.patience { return nil }
        }
        return insert(start, count, colon, head, tail, at: index)
    }

    /// Compares the bytes of a long name.
    private func isSame(_ number: Int, _ start: Bytes, _ count: Int, _ colon: Int) -> Bool {
        let entry = entries.base[number]
        guard let prefix = entry.prefix else { return colon < 0 && memcmp(entry.local, start, count) == 0 }
        guard colon == entry.colon, memcmp(prefix, start, colon) == 0 else { return false }
        return memcmp(entry.local, start + colon + 1, count - colon - 1) == 0
    }

    @inline(never)
    private mutating func insert(
        _ start: Bytes, _ count: Int, _ colon: Int, _ head: UInt64, _ tail: UInt64, at index: Int
    ) -> Int? {
        let local = start + colon + 1
        guard count < 1 << 20, colon < 0 || Self.startsName(local),
            let kept = xmlDictLookup(dictionary, local, Int32(count - colon - 1))
        else { return nil }
        var prefix: Bytes?
        if colon > 0 {
            prefix = xmlDictLookup(dictionary, start, Int32(colon))
            if prefix == nil { return nil }
        }
        entries.append(Entry(head: head, tail: tail, count: count, local: kept, prefix: prefix, colon: colon))
        slots.base[index] = UInt32(truncatingIfNeeded: entries.count)
        if entries.count * 2 > mask { rehash() }
        return entries.count - 1
    }

    private static func startsName(_ start: Bytes) -> Bool {
        start[0] < 0x80
            ? PlainCharacters.classes[Int(start[0])] & PlainCharacters.startsName != 0
            : PlainCharacters.startsName(PlainCharacters.scalar(start))
    }

    private mutating func rehash() {
        slots.destroy()
        mask = mask * 2 + 1
        slots = Self.emptySlots(mask + 1)
        for number in 0..<entries.count {
            let entry = entries.base[number]
            var index = Self.hash(entry.head, entry.tail, entry.count) & mask
            while slots.base[index] != 0 { index = (index + 1) & mask }
            slots.base[index] = UInt32(truncatingIfNeeded: number + 1)
        }
    }

    /// Records an attribute of a tag; returns false if the tag already has one with this name.
    @inline(__always)
    func isFirst(_ number: Int, in tag: Int) -> Bool {
        let entry = entries.base + number
        if entry.pointee.tag == tag { return false }
        entry.pointee.tag = tag
        return true
    }

    /// The number of names in the dictionary.
    var dictionarySize: Int { Int(xmlDictSize(dictionary)) }

    func keep(_ start: Bytes, _ count: Int) -> Bytes? { xmlDictLookup(dictionary, start, Int32(count)) }
}
