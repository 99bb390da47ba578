#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds tags with extremely many attributes before libxml2 does, whose duplicate check is quadratic.
///
/// A tag with n attributes has at least 5n bytes without another `<`; only stretches of that length are examined.
/// Smaller numbers beyond ``XML/Options/maximumAttributes`` are found by the handler of start tags, to which the plain
/// parser leaves such an element.
enum TagGuard {
    /// The number up to which libxml2's check is fast enough; the limit is then checked afterwards.
    private static let bearable = 8_192

    static func threshold(_ limit: Int) -> Int { max(limit, bearable) }

    /// Returns whether a start tag has too many attributes so far.
    static func isCrowded(_ tag: TagCount, limit: Int) -> Bool {
        tag.size > 5 * threshold(limit) && tag.attributes > threshold(limit)
    }

    /// Returns whether an entity contains too many `=`.
    static func isCrowded(_ text: UnsafePointer<UInt8>, limit: Int) -> Bool {
        let count = strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
        guard count > 5 * threshold(limit) else { return false }
        let bytes = UnsafeBufferPointer(start: text, count: count)
        return bytes.reduce(0) { $0 &+ ($1 == UInt8(ascii: "=") ? 1 : 0) } > threshold(limit)
    }

    /// Returns the offset of the first tag with too many attributes.
    static func crowdedTag(in bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let window = 5 * threshold(limit)
        var start = 0
        while start + window < bytes.count {
            // Jump to the last `<` in the window; without one, the stretch is long enough to examine.
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
        bytes.offset(of: UInt8(ascii: "<"), from: start + 1) ?? bytes.count
    }

    private static func mayBeTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "<"), start + 1 < bytes.count else { return false }
        let next = bytes[start + 1]
        return next != UInt8(ascii: "/") && next != UInt8(ascii: "!") && next != UInt8(ascii: "?")
    }
}
