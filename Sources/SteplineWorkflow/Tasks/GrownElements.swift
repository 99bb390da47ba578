import SteplineSupport

/// The elements of a growing map by the numbers of their tasks, and the body that these tasks share.
///
/// The tasks retain it, so it doesn't retain the map.
final class GrownElements<Element: Sendable, Output: Sendable>: AsyncBody {
    private struct Stored {
        var keys = KeyIndex()
        /// Nil for tasks of the inner workflow that aren't elements, and for removed elements.
        var elements: ContiguousArray<Element?> = []
        var depths: ContiguousArray<Int32> = []
    }

    private let title: String
    private let stored = Locked(Stored())
    private let body: @Sendable (Element, GrowingList<Element>) async throws -> Output

    init(
        of map: String, body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output
    ) {
        title = map
        self.body = body
    }

    var count: Int { stored.withLock { $0.keys.count } }

    /// The tasks of all elements, in the order in which they were found.
    var numbers: [Int32] { stored.withLock { $0.keys.numbers } }

    /// The element of a task, with its depth.
    subscript(_ number: Int32) -> (element: Element, depth: Int)? {
        stored.withLock { stored in
            guard stored.elements.indices.contains(Int(number)) else { return nil }
            return stored.elements[Int(number)].map { ($0, Int(stored.depths[Int(number)])) }
        }
    }

    func depth(of number: Int32) -> Int? {
        stored.withLock { stored in
            Int(number) < stored.depths.count ? Int(stored.depths[Int(number)]) : nil
        }
    }

    func key(of number: Int32) -> String? { stored.withLock { $0.keys.key(of: number) } }

    func number(of key: String) -> Int32? { stored.withLock { $0.keys.number(of: key) } }

    /// The number of an element by the name of its task.
    func number(named name: String) -> Int32? {
        // By bytes: a key may begin with a sign that joins the bracket.
        let head = "\(title)[".utf8
        guard name.utf8.starts(with: head), name.utf8.last == UInt8(ascii: "]") else { return nil }
        return number(of: String(decoding: name.utf8.dropFirst(head.count).dropLast(), as: UTF8.self))
    }

    /// Adds an element with an unknown key, whose task will be the next one of the inner workflow.
    func add(_ element: Element, _ key: String, depth: Int, _ number: Int32) {
        stored.withLock { stored in
            stored.keys.add(key, number)
            while stored.elements.count < Int(number) {
                stored.elements.append(nil)
                stored.depths.append(0)
            }
            stored.elements.append(element)
            stored.depths.append(Int32(clamping: depth))
        }
    }

    /// Replaces an element, and returns the former one, to be released without a lock.
    func replace(_ number: Int32, by element: Element, depth: Int) -> Element? {
        stored.withLock { stored in
            stored.depths[Int(number)] = Int32(clamping: depth)
            var former = Optional(element)
            swap(&former, &stored.elements[Int(number)])
            return former
        }
    }

    /// Removes an element, and returns it, to be released without a lock.
    func remove(_ number: Int32) -> Element? {
        stored.withLock { stored in
            stored.keys.remove(number)
            return stored.elements[Int(number)].take()
        }
    }

    // MARK: The tasks

    func run(_ number: Int32) async throws -> any Sendable {
        // A task whose element was removed doesn't run any more.
        guard let (element, depth) = self[number] else { throw CancellationError() }
        let list = GrowingList<Element>(depth: depth)
        let output = try await body(element, list)
        return GrownResult(output, found: list.close(), depth: depth)
    }

    // Made when it is asked for: a million names would need more memory than all else.
    func name(of number: Int32) -> String? { key(of: number).map { "\(title)[\($0)]" } }
}
