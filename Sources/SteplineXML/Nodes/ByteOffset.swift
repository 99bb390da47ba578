#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension UnsafeBufferPointer<UInt8> {
    /// Returns the offset of the first occurrence of a byte at or after a start; looks at many bytes at once.
    @inline(__always)
    func offset(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
