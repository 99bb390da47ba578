/// Finds tags with absurdly many attributes, which in HTML need no `=`, before libxml2's quadratic check does.
enum HTMLTagGuard {
    /// The line of the first tag that is too crowded.
    static func crowdedLine(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let threshold = TagGuard.threshold(limit)
        guard bytes.count > 2 * threshold else { return nil }
        var index = 0
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            guard index < bytes.count, bytes[index] | 32 >= UInt8(ascii: "a"),
                bytes[index] | 32 <= UInt8(ascii: "z")
            else { continue }
            // Quotes are ignored: a tag within quotes that long is as suspect, and `>` ends the doubt early.
            var parts = 0
            var wasBlank = false
            while index < bytes.count, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "<") {
                let isBlank =
                    bytes[index] <= 32 || bytes[index] == UInt8(ascii: "/")
                    || bytes[index] == UInt8(ascii: "\"")
                    || bytes[index] == UInt8(ascii: "'")
                if wasBlank, !isBlank { parts += 1 }
                wasBlank = isBlank
                index += 1
            }
            if parts > 2 * threshold { return bytes[..<start].reduce(1) { $0 + ($1 == 10 ? 1 : 0) } }
        }
        return nil
    }
}
