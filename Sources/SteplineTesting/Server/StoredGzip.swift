import Foundation

/// Returns bytes in the gzip format, in stored, uncompressed blocks.
func storedGzip(_ data: Data) -> Data {
    var out = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    var rest = data[...]
    repeat {
        let block = rest.prefix(0xFFFF)
        rest = rest.dropFirst(block.count)
        let count = UInt16(block.count)
        out.append(rest.isEmpty ? 1 : 0)
        out.append(contentsOf: littleEndian(count) + littleEndian(~count))
        out.append(block)
    } while !rest.isEmpty
    out.append(contentsOf: littleEndian(crc32(data)))
    out.append(contentsOf: littleEndian(UInt32(truncatingIfNeeded: data.count)))
    return out
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

private func crc32(_ data: Data) -> UInt32 {
    ~data.reduce(~UInt32(0)) { sum, byte in
        crcTable[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
    }
}

private let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
}
