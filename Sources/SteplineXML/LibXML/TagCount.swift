/// Counts the attributes of a start tag, of which more may come: each byte is looked at once.
struct TagCount {
    /// So many `=` stand outside quotes, before the `>` outside quotes.
    private(set) var attributes = 0
    /// How much of the tag has been looked at.
    private(set) var size = 0
    private var quote: UInt8 = 0
    private var isOver = false

    /// Takes what stands behind all that was taken before.
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
