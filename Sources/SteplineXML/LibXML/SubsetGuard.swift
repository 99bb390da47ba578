/// Finds extremely long enumerations of attribute values before libxml2 does, whose duplicate check is quadratic.
struct SubsetGuard {
    /// The largest number of values in a list; the check then costs less than a millisecond.
    private static let limit = 1_024

    private enum Place {
        case between, declaration, comment, instruction
        case quoted(UInt8)
    }

    private var place = Place.between
    /// The last bytes, newest in the low byte.
    private var last: UInt32 = 0
    private var bars = 0

    /// Returns whether the internal subset contains a list that is too long.
    static func isCrowded(_ subset: UnsafeBufferPointer<UInt8>) -> Bool {
        var scan = SubsetGuard()
        var depth = 0
        for byte in subset {
            if case .between = scan.place {
                if byte == UInt8(ascii: "[") { depth += 1 }
                if byte == UInt8(ascii: "]") { depth -= 1 }
                // The end of the document type, with or without an internal subset.
                if depth <= 0, byte == UInt8(ascii: "]") || byte == UInt8(ascii: ">") { return false }
            }
            scan.step(byte)
            if scan.bars > limit { return true }
        }
        return false
    }

    /// Returns the number of bars in an entity's content.
    static func bars(in content: UnsafePointer<UInt8>) -> Int {
        var count = 0
        var next = content
        while next.pointee != 0 {
            if next.pointee == UInt8(ascii: "|") { count += 1 }
            next += 1
        }
        return count
    }

    static func isTooMany(_ bars: Int) -> Bool { bars > limit }

    private mutating func step(_ byte: UInt8) {
        last = last << 8 | UInt32(byte)
        switch place {
        case .between:
            if last & 0xFFFF == 0x3C3F { place = .instruction }  // <?
            if last & 0xFFFF == 0x3C21 { enter() }  // <!
        case .declaration:
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): place = .quoted(byte)
            case UInt8(ascii: "("), UInt8(ascii: ")"): bars = 0
            case UInt8(ascii: "|"): bars += 1
            case UInt8(ascii: ">"): place = .between
            default: if last == 0x3C21_2D2D { place = .comment }  // <!--
            }
        case .comment: if last & 0xFF_FFFF == 0x2D2D3E { place = .between }  // -->
        case .instruction: if last & 0xFFFF == 0x3F3E { place = .between }  // ?>
        case .quoted(let quote): if byte == quote { place = .declaration }
        }
    }

    private mutating func enter() {
        place = .declaration
        bars = 0
    }
}

extension ParserState {
    mutating func refuseCrowdedSubset(_ subset: UnsafeBufferPointer<UInt8>) {
        if SubsetGuard.isCrowded(subset) { failOnValues() }
    }

    /// Adds up the bars of entities, since a list can be assembled from many.
    mutating func refuseCrowdedEntity(_ content: UnsafePointer<UInt8>) {
        let bars = SubsetGuard.bars(in: content)
        guard bars > 0 else { return }
        entityBars += bars
        if SubsetGuard.isTooMany(bars) || entityBars > 1 << 14 { failOnValues() }
    }

    private mutating func failOnValues() {
        fail(.attributes, "an attribute is declared with too many values")
    }
}
