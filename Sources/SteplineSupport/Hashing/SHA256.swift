/// The hash function SHA-256 (FIPS 180-4), for input in pieces.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The bytes that don't fill a block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// Creates the hash of an empty input.
    package init() {}

    /// Returns the hash of the given bytes, 32 bytes long.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Returns a hash as hexadecimal digits.
    package static func digits(_ hash: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Adds bytes to the input.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var bytes = bytes[...]
        if !rest.isEmpty {
            let piece = bytes.prefix(64 - rest.count)
            rest.append(contentsOf: piece)
            bytes = bytes.dropFirst(piece.count)
            guard rest.count == 64 else { return }
            rest.withUnsafeBytes { SHA256Rounds.take($0, into: &state) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.prefix(bytes.count & ~63)
        SHA256Rounds.take(UnsafeRawBufferPointer(rebasing: whole), into: &state)
        rest.append(contentsOf: bytes.dropFirst(whole.count))
    }

    /// Returns the hash of the input; no bytes can be added afterwards.
    package mutating func finish() -> [UInt8] {
        let bits = count &* 8
        // The padding: a 1 bit, zeros up to 56 bytes in the block, and the length in bits.
        var end: [UInt8] = [0x80]
        end.append(contentsOf: repeatElement(0, count: (119 - rest.count) % 64))
        end.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
        end.withUnsafeBytes { update($0) }
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
        }
    }
}
