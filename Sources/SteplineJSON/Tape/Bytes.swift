import Foundation

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether both contain the same bytes.
    ///
    /// Short buffers, such as keys, are compared with two overlapping loads.
    @inline(__always)
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let mine = UnsafeRawPointer(baseAddress), let theirs = UnsafeRawPointer(other.baseAddress)
        else {
            return isEmpty
        }
        if count > 16 { return memcmp(mine, theirs, count) == 0 }
        if count >= 8 { return isEqual(mine, theirs, as: UInt64.self, 8) }
        if count >= 4 { return isEqual(mine, theirs, as: UInt32.self, 4) }
        if count >= 2 { return isEqual(mine, theirs, as: UInt16.self, 2) }
        return count == 0 || mine.load(as: UInt8.self) == theirs.load(as: UInt8.self)
    }

    @inline(__always)
    private func isEqual<T: FixedWidthInteger & BitwiseCopyable>(
        _ mine: UnsafeRawPointer, _ theirs: UnsafeRawPointer, as type: T.Type, _ width: Int
    ) -> Bool {
        let last = count &- width
        let head = mine.loadUnaligned(as: type) ^ theirs.loadUnaligned(as: type)
        let tail =
            mine.loadUnaligned(fromByteOffset: last, as: type)
            ^ theirs.loadUnaligned(fromByteOffset: last, as: type)
        return head | tail == 0
    }
}
