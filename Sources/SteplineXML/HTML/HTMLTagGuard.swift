/// Finds tags with extremely many attributes before libxml2 does, whose duplicate check is quadratic.
///
/// Only the parser knows where a tag begins, since `<` may be part of a script, a comment or another tag. The scan
/// therefore follows all possible tags in parallel. Of tags in the same state only the one with the most attributes
/// matters.
struct HTMLTagGuard {
    /// The largest number of attributes of a tag in each state; -1 if there is none.
    private var token = -1
    private var blank = -1
    private var equals = -1
    private var quoted = -1
    private var doubleQuoted = -1
    private var unquoted = -1

    /// Returns the line of the first tag with too many attributes.
    static func crowdedLine(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let threshold = 2 * TagGuard.threshold(limit)
        guard bytes.count > 2 * threshold else { return nil }
        var tags = HTMLTagGuard()
        var index = 0
        while index < bytes.count {
            if !tags.isInTag {
                guard let found = bytes.offset(of: UInt8(ascii: "<"), from: index) else { return nil }
                index = found
            }
            let byte = bytes[index]
            index += 1
            tags.step(byte)
            guard max(tags.blank, tags.token) <= threshold else { return line(of: index, in: bytes) }
            if byte == UInt8(ascii: "<"), index < bytes.count, isLetter(bytes[index]) {
                tags.token = max(tags.token, 0)
            }
            // After the first ordinary byte, further ones change nothing: skip these.
            if isOrdinary(byte) { while index < bytes.count, isOrdinary(bytes[index]) { index += 1 } }
        }
        return nil
    }

    // All bits set means -1.
    private var isInTag: Bool { token & blank & equals & quoted & doubleQuoted & unquoted != -1 }

    private mutating func step(_ byte: UInt8) {
        switch byte {
        case 0...32:
            blank = max(blank, token, unquoted)
            token = -1
            unquoted = -1
        case UInt8(ascii: ">"):
            token = -1
            blank = -1
            equals = -1
            unquoted = -1
        case UInt8(ascii: "="):
            // After `=` either a value or another attribute may begin: follow both.
            unquoted = max(unquoted, equals)
            equals = max(equals, token, blank)
            token = max(token, blank < 0 ? -1 : blank + 1)
            blank = -1
        case UInt8(ascii: "\""):
            let closed = doubleQuoted
            doubleQuoted = equals
            equals = -1
            startToken(closed)
        case UInt8(ascii: "'"):
            let closed = quoted
            quoted = equals
            equals = -1
            startToken(closed)
        default:
            unquoted = max(unquoted, equals)
            equals = -1
            startToken(-1)
        }
    }

    /// Moves all states to the next attribute; `closed` is the state after a closed quote.
    private mutating func startToken(_ closed: Int) {
        if blank >= 0 { token = max(token, blank + 1) }
        blank = closed
    }

    /// Returns whether a byte has no syntactic meaning.
    private static func isOrdinary(_ byte: UInt8) -> Bool {
        byte > 32 && !(UInt8(ascii: "<")...UInt8(ascii: ">")).contains(byte) && byte != UInt8(ascii: "\"")
            && byte != UInt8(ascii: "'")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z")
    }

    private static func line(of end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes[..<end].reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
    }
}
