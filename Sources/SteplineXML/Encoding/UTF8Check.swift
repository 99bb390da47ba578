/// The result of validating UTF-8 without NUL.
enum UTF8Check: Equatable {
    case valid
    /// The bytes from this offset may be the beginning of a character.
    case incomplete(Int)
    case invalid(Int)
    /// A NUL, which libxml2 would take for the end of the input.
    case null(Int)

    /// The offset of the first invalid byte.
    var fault: Int? {
        switch self {
        case .valid: nil
        case .incomplete(let place), .invalid(let place), .null(let place): place
        }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else {
            self = .valid
            return
        }
        let raw = UnsafeRawPointer(base)
        let count = bytes.count
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var index = 0
        while index < count {
            while index &+ 32 <= count {
                let a = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let b = raw.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
                let c = raw.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
                let d = raw.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
                // Subtracting one sets the high bit of a zero byte.
                let suspects = (a &- ones) | (b &- ones) | (c &- ones) | (d &- ones) | a | b | c | d
                if suspects & highs != 0 { break }
                index &+= 32
            }
            guard index < count else { break }
            // Skip to the suspicious byte, handle it, and return to the fast loop.
            if index &+ 8 <= count {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let suspects = ((word &- ones) | word) & highs
                index &+= suspects == 0 ? 8 : suspects.trailingZeroBitCount >> 3
                if suspects == 0 { continue }
            }
            let byte = base[index]
            if byte < 0x80 {
                if byte == 0 {
                    self = .null(index)
                    return
                }
                index &+= 1
                continue
            }
            let length = Self.sequence(base + index, available: count &- index)
            guard length > 0 else {
                self = length == 0 ? .invalid(index) : .incomplete(index)
                return
            }
            index &+= length
        }
        self = .valid
    }

    /// Returns the length of a valid sequence; 0 if invalid, -1 if truncated.
    @inline(__always)
    private static func sequence(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch bytes[0] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, low) = (3, 0xA0)
        case 0xED: (length, high) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, high) = (4, 0x8F)
        default: return 0
        }
        if available < 2 { return -1 }
        guard bytes[1] >= low, bytes[1] <= high else { return 0 }
        if length == 2 { return 2 }
        if available < 3 { return -1 }
        guard bytes[2] & 0xC0 == 0x80 else { return 0 }
        if length == 3 { return 3 }
        if available < 4 { return -1 }
        return bytes[3] & 0xC0 == 0x80 ? 4 : 0
    }
}
