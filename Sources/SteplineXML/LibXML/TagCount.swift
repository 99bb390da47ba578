/// Counts the attributes of a start tag that arrives in pieces; each byte is examined once.
struct TagCount {
    /// The number of `=` outside quotes before the end of the tag.
    private(set) var attributes = 0
    /// The number of examined bytes.
    private(set) var size = 0
    private var quote: UInt8 = 0
    private var isOver = false

    /// Examines the next bytes of the tag.
    mutating func take(_ bytes: some Collection<UInt8>) {
        size += bytes.count
        guard !isOver else { return }
        for byte in bytes {
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "=") {
                attributes += 1
            } else if byte == UInt8(ascii: ">") {
                isOver = true
                return
            }
        }
    }
}
