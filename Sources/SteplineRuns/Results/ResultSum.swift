package import Foundation

/// The check sum that a database keeps with a result: it covers the step's run and name, so that a result which has come under
/// another name is found.
///
/// It is a CRC-32, with bit 32 set. Sums without that bit were kept by programs that covered the result alone.
package enum ResultSum {
    package static func of(_ bytes: some ContiguousBytes, run: Int, step: String) -> Int {
        var name = Data(withUnsafeBytes(of: UInt64(truncatingIfNeeded: run).littleEndian) { Array($0) })
        name.append(contentsOf: step.utf8)
        let start = name.withUnsafeBytes { CRC32.sum($0) }
        return Int(bytes.withUnsafeBytes { CRC32.sum($0, after: start) }) | 1 << 32
    }

    package static func isRight(_ sum: Int, _ bytes: Data, run: Int, step: String) -> Bool {
        guard sum >> 32 == 1 else { return sum == Int(bytes.withUnsafeBytes { CRC32.sum($0) }) }
        return sum == of(bytes, run: run, step: step)
    }
}
