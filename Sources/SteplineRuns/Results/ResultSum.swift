package import Foundation

/// The checksum of a stored result, which also covers the run and the step's name.
///
/// A result stored under a wrong name is detected this way. The checksum is a CRC-32 with bit 32 set. Checksums without
/// this bit come from older programs and cover the result alone.
package enum ResultSum {
    package static func of(_ bytes: some ContiguousBytes, run: Int, step: String) -> Int {
        let start = withUnsafeBytes(of: UInt64(truncatingIfNeeded: run).littleEndian) { CRC32.sum($0) }
        var step = step
        let name = step.withUTF8 { CRC32.sum(UnsafeRawBufferPointer($0), after: start) }
        return Int(bytes.withUnsafeBytes { CRC32.sum($0, after: name) }) | 1 << 32
    }

    package static func isRight(_ sum: Int, _ bytes: Data, run: Int, step: String) -> Bool {
        guard sum >> 32 == 1 else { return sum == Int(bytes.withUnsafeBytes { CRC32.sum($0) }) }
        return sum == of(bytes, run: run, step: step)
    }
}
