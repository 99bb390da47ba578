/// Finds the end of a value in bytes that come piece by piece, without looking at any byte twice.
///
/// What is between is checked by the parser afterwards.
struct ValueEnd {
    private var depth = 0
    private var isInText = false
    /// How far it has looked.
    private var index: Int

    init(from start: Int) { index = start }

    /// Moves with the bytes.
    mutating func move(by count: Int) { index -= count }

    /// The place behind the value that begins at `start`, or nil if it goes on behind the bytes.
    mutating func find(from start: Int, in bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Int? {
        while index < bytes.count {
            let byte = bytes[index]
            if isInText {
                if byte == UInt8(ascii: "\\") {
                    // The next byte is part of the escape, whatever it is.
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
