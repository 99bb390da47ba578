#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A growable array of trivial values without bounds checks, reference counting or zeroing, for the parser's hot path.
struct RawBuffer<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = Self.resize(nil, to: self.capacity)
    }

    private static func resize(_ old: UnsafeMutablePointer<Element>?, to capacity: Int)
        -> UnsafeMutablePointer<Element>
    {
        // Running out of memory ends the process, as elsewhere in Swift.
        guard let memory = realloc(old, capacity * MemoryLayout<Element>.stride) else {
            fatalError("out of memory")
        }
        return memory.assumingMemoryBound(to: Element.self)
    }

    @inline(never)
    private mutating func grow(to minimum: Int) {
        capacity = max(minimum, capacity + capacity / 2)
        base = Self.resize(base, to: capacity)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        (base + count).initialize(to: element)
        count += 1
    }

    @inline(__always)
    mutating func append(_ start: UnsafePointer<Element>, count added: Int) {
        if capacity - count < added { grow(to: count + added) }
        (base + count).initialize(from: start, count: added)
        count += added
    }

    mutating func truncate(to count: Int) { self.count = min(self.count, count) }

    /// Transfers the trimmed memory to the caller; the buffer must not be used afterwards.
    func taken() -> UnsafeMutablePointer<Element> {
        // Reallocating large blocks returns unused pages without copying.
        capacity - count > 4096 ? Self.resize(base, to: max(count, 1)) : base
    }

    func destroy() { free(base) }

    static func destroy(_ pointer: UnsafeMutablePointer<Element>) { free(pointer) }
}
