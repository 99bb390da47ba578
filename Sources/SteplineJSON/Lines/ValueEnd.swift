/// Finds the end of a value in bytes that arrive in chunks, examining each byte once.
///
/// It only matches quotes and brackets. The parser validates the value afterwards.
struct ValueEnd {
    private var depth = 0
    private var isInText = false
    /// The offset up to which the bytes have been examined.
    private var index: Int

    init(from start: Int) { index = start }

    /// Adjusts the offset after the buffer has dropped its first bytes.
    mutating func move(by count: Int) { index -= count }

    /// Returns the offset after the value that begins at `start`; nil if the value is incomplete.
    mutating func find(from start: Int, in bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Int? {
        while index < bytes.count {
            let byte = bytes[index]
            if isInText {
                if byte == UInt8(ascii: "\\") {
                    // Skip the escaped byte, whatever it is.
                    guard index + 1 < bytes.count else { break }
                    index += 2
                    continue
                }
                if byte == UInt8(ascii: "\"") {
                    isInText = false
                    if depth == 0 { return index + 1 }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""):
                    if depth == 0, index > start { return index }
                    isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    if depth == 0, index > start { return index }
                    depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return index }
                    depth -= 1
                    if depth == 0 { return index + 1 }
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                    if depth == 0 { return index }
                default:
                    break
                }
            }
            index += 1
        }
        return isAtEnd ? bytes.count : nil
    }
}
