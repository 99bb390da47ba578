import SteplineSupport

/// The elements of a growing map by the numbers of their tasks, and the body that these tasks share.
///
/// The tasks retain it, so it doesn't retain the map.
final class GrownElements<Element: Sendable, Output: Sendable>: AsyncBody {
    private struct Stored {
        /// Nil for tasks of the inner workflow that aren't elements, and for removed elements.
        var elements: ContiguousArray<Element?> = []
        var depths: ContiguousArray<Int32> = []
    }

    private let stored = Locked(Stored())
    private let body: @Sendable (Element, GrowingList<Element>) async throws -> Output

    init(body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output) {
        self.body = body
    }

    /// The element of a task, with its depth.
    subscript(_ number: Int32) -> (element: Element, depth: Int)? {
        stored.withLock { stored in
            guard stored.elements.indices.contains(Int(number)) else { return nil }
            return stored.elements[Int(number)].map { ($0, Int(stored.depths[Int(number)])) }
        }
    }

    /// Sets the element of a task, and returns the former one, to be released without a lock.
    @discardableResult
    func put(_ element: Element?, depth: Int = 0, at number: Int32) -> Element? {
        stored.withLock { stored in
            while stored.elements.count <= Int(number) {
                stored.elements.append(nil)
                stored.depths.append(0)
            }
            stored.depths[Int(number)] = Int32(clamping: depth)
            var former = element
            swap(&former, &stored.elements[Int(number)])
            return former
        }
    }

    func run(_ number: Int32) async throws -> any Sendable {
        // A task without an element was removed, and runs no more.
        guard let (element, depth) = self[number] else { throw CancellationError() }
        let list = GrowingList<Element>(depth: depth)
        let output = try await body(element, list)
        return GrownResult(output, found: list.close(), depth: depth)
    }
}
