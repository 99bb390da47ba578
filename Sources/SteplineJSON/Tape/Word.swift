/// One value or key on the tape: four bits of kind, then two fields of thirty bits.
///
/// - text and numbers: `upper` is the length, `lower` the offset of their bytes in the source (inside the
///   quotes);
/// - arrays and objects: `upper` is the span in words, the header included, `lower` the number of elements or
///   members;
/// - null, true, false: `lower` is the offset.
///
/// Spans are relative, so that a run of words can be moved as it is.
@usableFromInline
struct Word {
    @usableFromInline
    enum Kind: UInt8 {
        case null, no, yes, integer, real, text, escapedText, array, object
    }

    @inlinable static var fieldBits: UInt64 { 30 }
    @inlinable static var fieldMask: UInt64 { (1 << fieldBits) - 1 }
    /// No source is longer, since a field couldn't hold its offsets.
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

    /// The kind's number; the tape holds no other than those of `Kind`.
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

    /// How many words the value takes.
    @inlinable @inline(__always)
    var span: Int { isContainer ? upper : 1 }
}
