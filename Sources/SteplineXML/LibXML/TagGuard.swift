#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds tags with absurdly many attributes before libxml2 does, whose check for duplicates is quadratic.
///
/// A tag with n attributes is at least 5n bytes without another `<`; only stretches that long are looked at.
enum TagGuard {
    /// Up to here libxml2's own check takes a fraction of a second, and the limit is checked after it.
    private static let bearable = 8_192

    static func threshold(_ limit: Int) -> Int { max(limit, bearable) }

    /// Whether a start tag, as far as it has come, has more attributes than can be borne.
    static func isCrowded(_ tag: TagCount, limit: Int) -> Bool {
        tag.size > 5 * threshold(limit) && tag.attributes > threshold(limit)
    }

    /// Whether an entity's content holds more `=` than a tag's attributes can be borne.
    static func isCrowded(_ text: UnsafePointer<UInt8>, limit: Int) -> Bool {
        let count = strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
        guard count > 5 * threshold(limit) else { return false }
        let bytes = UnsafeBufferPointer(start: text, count: count)
        return bytes.reduce(0) { $0 &+ ($1 == UInt8(ascii: "=") ? 1 : 0) } > threshold(limit)
    }

    /// The offset of the first tag that is too crowded.
    static func crowdedTag(in bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let window = 5 * threshold(limit)
        var start = 0
        while start + window < bytes.count {
            // Leap to the last `<` within the window; without one, the stretch is long enough to matter.
            var last = start + window
            while last > start, bytes[last] != UInt8(ascii: "<") { last -= 1 }
            if last > start {
                start = last
                continue
            }
            let end = nextTag(in: bytes, after: start)
            if mayBeTag(bytes, start) {
                var tag = TagCount()
                tag.take(bytes[start..<end])
                if tag.attributes > threshold(limit) { return start }
            }
            start = end
        }
        return nil
    }

    private static func nextTag(in bytes: UnsafeBufferPointer<UInt8>, after start: Int) -> Int {
        guard let base = bytes.baseAddress,
            let found = memchr(base + start + 1, Int32(UInt8(ascii: "<")), bytes.count - start - 1)
        else { return bytes.count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private static func mayBeTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "<"), start + 1 < bytes.count else { return false }
        let next = bytes[start + 1]
        return next != UInt8(ascii: "/") && next != UInt8(ascii: "!") && next != UInt8(ascii: "?")
    }
}
