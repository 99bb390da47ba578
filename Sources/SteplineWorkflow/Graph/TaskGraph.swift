import CProcessor

/// One prerequisite of one task.
struct TaskEdge {
    /// The end of a prerequisite that its dependent needs.
    enum Kind {
        /// Its result.
        case needs
        /// Its result, or its failure.
        case allowsFailure
        /// Its end, whatever that is: the dependent is a cleanup.
        case guards
    }

    let prerequisite: Int32
    let dependent: Int32
    let kind: Kind
    /// The next edge from the same prerequisite; -1 at the end.
    fileprivate(set) var next: Int32 = -1
}

/// The graph of tasks and prerequisites.
///
/// Tasks are numbers in order of adding. A prerequisite has a lower number than its dependents, so that numbers are in
/// topological order. Nothing is ever taken out.
///
/// All edges lie in one array. The edges to the prerequisites of a task are successive, because they are added with the
/// task. The edges to its dependents are a linked list through the array, because dependents come later, one at a time.
///
/// Adding costs O(prerequisites), and a walk costs O(V + E) of what it reaches. Part of the machine, so used under its
/// lock only.
struct TaskGraph {
    private struct Links {
        /// The prerequisites are `edges[firstEdge..<firstEdge + edgeCount]`, in the order in which they were given.
        let firstEdge: Int32
        let edgeCount: Int32
        var firstDependent: Int32 = -1
        var lastDependent: Int32 = -1
        /// The last walk that came by.
        var mark: UInt32 = 0
    }

    private var links = ContiguousArray<Links>()
    private var edges = ContiguousArray<TaskEdge>()
    private var lastMark: UInt32 = 0

    var count: Int32 { Int32(truncatingIfNeeded: links.count) }
    var edgeCount: Int { edges.count }

    /// Adds a task behind others, each given once, and returns its number.
    mutating func add(
        after prerequisites: UnsafeBufferPointer<Int32>, kind: (Int32) -> TaskEdge.Kind
    ) -> Int32 {
        let number = count
        let firstEdge = Int32(truncatingIfNeeded: edges.count)
        for prerequisite in prerequisites {
            let place = Int32(truncatingIfNeeded: edges.count)
            edges.append(
                TaskEdge(prerequisite: prerequisite, dependent: number, kind: kind(prerequisite)))
            // At the end of the list, so dependents stay in order of adding.
            let last = links[Int(prerequisite)].lastDependent
            if last >= 0 {
                edges[Int(last)].next = place
            } else {
                links[Int(prerequisite)].firstDependent = place
            }
            links[Int(prerequisite)].lastDependent = place
        }
        links.append(
            Links(firstEdge: firstEdge, edgeCount: Int32(truncatingIfNeeded: prerequisites.count)))
        return number
    }

    func isRoot(_ number: Int32) -> Bool { links[Int(number)].edgeCount == 0 }

    /// The places of the edges to a task's prerequisites.
    func places(of number: Int32) -> Range<Int> {
        let links = links[Int(number)]
        return Int(links.firstEdge)..<Int(links.firstEdge + links.edgeCount)
    }

    func edge(at place: Int) -> TaskEdge { edges[place] }

    /// The prerequisites, in the order in which they were given.
    func prerequisites(of number: Int32) -> [Int32] { places(of: number).map { edges[$0].prerequisite } }

    /// The place of the first edge to a dependent, which leads to the others; -1 if there is none.
    @inline(__always)
    func firstDependent(of number: Int32) -> Int32 { links[Int(number)].firstDependent }

    @inline(__always)
    func edge(at place: Int32) -> TaskEdge { edges[Int(place)] }

    /// Loads the links of a task into the processor's cache.
    @inline(__always)
    func prefetchLinks(_ number: Int32) {
        links.withUnsafeBufferPointer { cprocessor_prefetch($0.baseAddress! + Int(number)) }
    }

    /// Loads the first edge to a dependent into the processor's cache.
    @inline(__always)
    func prefetchDependents(_ number: Int32) {
        let place = firstDependent(of: number)
        if place >= 0 { edges.withUnsafeBufferPointer { cprocessor_prefetch($0.baseAddress! + Int(place)) } }
    }

    /// The edges to the dependents, in order of adding.
    func edges(from number: Int32) -> DependentEdges {
        DependentEdges(edges: edges, place: firstDependent(of: number))
    }

    /// The direct dependents that aren't cleanups, in order of adding.
    func dependents(of number: Int32) -> [Int32] {
        edges(from: number).filter { $0.kind != .guards }.map(\.dependent)
    }

    /// The targets and all downstream, each once: the targets first, the others in order of adding.
    ///
    /// Linear in what is reached, however many ways lead there. It goes on to cleanups only where it `crossesGuards`.
    mutating func reach(_ targets: [Int32], crossesGuards: Bool) -> [Int32] {
        // A new mark makes all tasks unvisited, without a walk that clears them.
        lastMark &+= 1
        var reached: [Int32] = []
        for target in targets where visit(target) { reached.append(target) }
        // The targets keep the given order: only the tasks after them are sorted.
        let given = reached.count
        var walked = 0
        while walked < reached.count {
            let visited = reached[walked]
            walked += 1
            for edge in edges(from: visited) where crossesGuards || edge.kind != .guards {
                if visit(edge.dependent) { reached.append(edge.dependent) }
            }
        }
        sort(&reached, from: given)
        return reached
    }

    private mutating func visit(_ number: Int32) -> Bool {
        guard links[Int(number)].mark != lastMark else { return false }
        links[Int(number)].mark = lastMark
        return true
    }

    /// Brings what was found in order of adding; of many, to pass over all between is cheaper than to sort.
    private func sort(_ reached: inout [Int32], from given: Int) {
        let found = reached.count - given
        // The walk over all numbers finds tasks by their marks, and skips one target only.
        guard given == 1, found > 16, let least = reached.dropFirst().min(),
            let greatest = reached.dropFirst().max(), Int(greatest) - Int(least) < 16 * found
        else { return reached[given...].sort() }
        reached.removeSubrange(1...)
        for number in least...greatest where links[Int(number)].mark == lastMark && number != reached[0] {
            reached.append(number)
        }
    }
}

/// The edges from one task to its dependents.
struct DependentEdges: Sequence, IteratorProtocol {
    fileprivate let edges: ContiguousArray<TaskEdge>
    fileprivate var place: Int32

    mutating func next() -> TaskEdge? {
        guard place >= 0 else { return nil }
        let edge = edges[Int(place)]
        place = edge.next
        return edge
    }
}
