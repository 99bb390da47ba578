/// The checksum CRC-32 of zip and PNG, to detect damage of stored bytes.
package enum CRC32 {
    /// Eight tables, to process eight bytes in one step ("slicing by eight").
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in 0..<UInt32(256) {
            var sum = byte
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
            tables.append(sum)
        }
        // Table k contains the checksum of each byte followed by k zero bytes.
        for place in 256..<2_048 {
            let before = tables[place - 256]
            tables.append((before >> 8) ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    /// Returns the checksum of bytes that follow bytes with the checksum `before`.
    package static func sum(_ bytes: UnsafeRawBufferPointer, after before: UInt32 = 0) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var sum = ~before
            var place = 0
            while place + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                let mixed = word ^ UInt64(sum)
                // All eight bytes are folded into a new sum: the old one is already mixed in.
                sum = 0
                for byte in 0..<8 {
                    sum ^=
                        tables[
                            (7 - byte) * 256 + Int(truncatingIfNeeded: (mixed >> (8 * UInt64(byte))) & 0xFF)]
                }
                place += 8
            }
            // The last bytes are fewer than eight: one at a time.
            while place < bytes.count {
                sum = (sum >> 8) ^ tables[Int((sum ^ UInt32(bytes[place])) & 0xFF)]
                place += 1
            }
            return ~sum
        }
    }
}
