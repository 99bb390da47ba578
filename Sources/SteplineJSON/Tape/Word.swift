/// A value or key on the tape: four bits for the kind, then two fields of thirty bits.
///
/// | kind | `upper` | `lower` |
/// |---|---|---|
/// | strings, keys and numbers | the length of their bytes | the offset of their bytes, inside the quotes |
/// | arrays and objects | the span in words, with the header | the number of elements or members |
/// | null, true, false | 0 | the offset in the source |
///
/// Spans are relative, so a range of words can be moved without changing them.
@usableFromInline
struct Word {
    @usableFromInline
    enum Kind: UInt8 {
        case null, no, yes, integer, real, text, escapedText, array, object
    }

    @inlinable static var fieldBits: UInt64 { 30 }
    @inlinable static var fieldMask: UInt64 { (1 << fieldBits) - 1 }
    /// The exclusive limit on the size of a source, because a field couldn't hold larger offsets.
    static let maximumSize = 1 << 30

    @usableFromInline let raw: UInt64

    @inlinable @inline(__always)
    init(raw: UInt64) { self.raw = raw }

    @inlinable @inline(__always)
    init(_ kind: Kind, upper: Int, lower: Int) {
        raw =
            UInt64(truncatingIfNeeded: kind.rawValue) &<< 60
            | UInt64(truncatingIfNeeded: upper) &<< Word.fieldBits
            | UInt64(truncatingIfNeeded: lower)
    }

    /// The raw value of the kind; always one of `Kind`.
    @inlinable @inline(__always)
    var tag: UInt8 { UInt8(truncatingIfNeeded: raw &>> 60) }

    @inlinable @inline(__always)
    var kind: Kind { Kind(rawValue: tag) ?? .null }

    @inlinable @inline(__always)
    var upper: Int { Int(truncatingIfNeeded: raw &>> Word.fieldBits & Word.fieldMask) }

    @inlinable @inline(__always)
    var lower: Int { Int(truncatingIfNeeded: raw & Word.fieldMask) }

    @inlinable @inline(__always)
    var isContainer: Bool { tag >= Kind.array.rawValue }

    @inlinable @inline(__always)
    var isObject: Bool { tag == Kind.object.rawValue }

    @inlinable @inline(__always)
    var isArray: Bool { tag == Kind.array.rawValue }

    @inlinable @inline(__always)
    var isText: Bool { tag == Kind.text.rawValue || tag == Kind.escapedText.rawValue }

    @inlinable @inline(__always)
    var isEscaped: Bool { tag == Kind.escapedText.rawValue }

    @inlinable @inline(__always)
    var isNumber: Bool { tag == Kind.integer.rawValue || tag == Kind.real.rawValue }

    @inlinable @inline(__always)
    var isNull: Bool { tag == Kind.null.rawValue }

    /// The number of words that the value occupies.
    @inlinable @inline(__always)
    var span: Int { isContainer ? upper : 1 }
}
