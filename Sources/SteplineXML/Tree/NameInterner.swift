/// Assigns a number to each distinct name.
///
/// libxml2's dictionary stores every name once, so that equal names have equal addresses and strings aren't compared.
struct NameInterner {
    typealias CString = UnsafePointer<UInt8>

    private struct Slot: BitwiseCopyable {
        var local: CString?
        var prefix: CString?
        var namespace: CString?
        /// The number plus one; 0 is a free slot.
        var number: UInt32
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    private(set) var names: [QualifiedName] = []
    private var table: NameTable?
    /// The length of the longest name in bytes.
    private(set) var longest = 0

    init() {
        mask = 127
        slots = Self.emptySlots(128)
    }

    func destroy() { slots.deallocate() }

    private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        slots.initialize(repeating: Slot(local: nil, prefix: nil, namespace: nil, number: 0), count: count)
        return slots
    }

    @inline(__always)
    private static func hash(_ local: CString?, _ prefix: CString?, _ namespace: CString?) -> Int {
        var bits = UInt(bitPattern: local)
        bits ^= UInt(bitPattern: prefix) &<< 7
        bits ^= UInt(bitPattern: namespace) &<< 13
        bits &*= 0x9E37_79B9_7F4A_7C15
        return Int(bitPattern: bits >> 32)
    }

    /// Returns the number of a name whose parts are in one libxml2 dictionary.
    @inline(__always)
    mutating func number(_ local: CString?, _ prefix: CString?, _ namespace: CString?) -> UInt32 {
        var index = Self.hash(local, prefix, namespace) & mask
        while slots[index].number != 0 {
            let slot = slots + index
            if slot.pointee.local == local, slot.pointee.prefix == prefix, slot.pointee.namespace == namespace
            {
                return slot.pointee.number - 1
            }
            index = (index + 1) & mask
        }
        return insert(local, prefix, namespace, at: index)
    }

    @inline(never)
    private mutating func insert(
        _ local: CString?, _ prefix: CString?, _ namespace: CString?, at index: Int
    ) -> UInt32 {
        let name = QualifiedName(
            local: local.map { String(cString: $0) } ?? "", prefix: prefix.map { String(cString: $0) },
            namespace: namespace.map { String(cString: $0) })
        longest = max(longest, name.local.utf8.count, name.prefix?.utf8.count ?? 0)
        names.append(name)
        table = nil
        slots[index] = Slot(local: local, prefix: prefix, namespace: namespace, number: UInt32(names.count))
        if names.count * 2 > mask { rehash() }
        return UInt32(names.count - 1)
    }

    private mutating func rehash() {
        let old = slots
        let oldCount = mask + 1
        mask = oldCount * 2 - 1
        slots = Self.emptySlots(mask + 1)
        for position in 0..<oldCount where old[position].number != 0 {
            var index = Self.hash(old[position].local, old[position].prefix, old[position].namespace) & mask
            while slots[index].number != 0 { index = (index + 1) & mask }
            slots[index] = old[position]
        }
        old.deallocate()
    }

    /// Returns the names as an immutable table, reused while no name is added.
    mutating func snapshot() -> NameTable {
        if let table { return table }
        let made = NameTable(names)
        table = made
        return made
    }

    /// Removes all names, so that a stream of ever new names doesn't grow.
    mutating func forget() {
        destroy()
        self = NameInterner()
    }
}
