import CPrefetch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A table that only ever grows, and has one user: copies of it are the same table.
///
/// An array of a million tasks would be copied, and new memory be cleared for it, each time it grows. For big
/// blocks `realloc` has the system move the pages instead; and an element is reached without asking first who
/// else holds the table.
struct GrowingTable<Element> {
    /// Frees the elements with the last who knows the table.
    private final class Owner {
        var base: UnsafeMutablePointer<Element>?
        var count = 0

        deinit {
            base?.deinitialize(count: count)
            free(base)
        }
    }

    private let owner = Owner()
    private var base: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    @inline(__always)
    mutating func append(_ element: consuming Element) {
        if count == capacity { grow() }
        place(count).initialize(to: element)
        count += 1
        owner.count = count
    }

    subscript(index: Int) -> Element {
        @inline(__always)
        unsafeAddress {
            precondition(index >= 0 && index < count)
            return UnsafePointer(place(index))
        }
        @inline(__always)
        nonmutating unsafeMutableAddress {
            precondition(index >= 0 && index < count)
            return place(index)
        }
    }

    /// Has an element brought near that is about to be read.
    @inline(__always)
    func prefetch(_ index: Int) { stepline_prefetch(place(index)) }

    @inline(__always)
    private func place(_ index: Int) -> UnsafeMutablePointer<Element> { base.unsafelyUnwrapped + index }

    @inline(never)
    private mutating func grow() {
        capacity = max(8, 2 * capacity)
        // Running out of memory ends a Swift process everywhere else too.
        base = realloc(base, capacity * MemoryLayout<Element>.stride)!
            .assumingMemoryBound(to: Element.self)
        owner.base = base
    }
}
