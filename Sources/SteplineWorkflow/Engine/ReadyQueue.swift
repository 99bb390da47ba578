/// Tasks that may begin, the highest priority first, and those of one priority in order of arrival.
struct ReadyQueue {
    /// The priority of a task that says nothing.
    static let normal: UInt8 = 2

    /// The first in line, which in a chain is all there ever is; -1 if nobody is.
    private var first: Int32 = -1
    private var line = Line()
    /// The lines of the other priorities, made when one is first used.
    private var others: [Line] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Whether somebody has used a priority other than the normal one.
    var hasPriorities: Bool { !others.isEmpty }

    mutating func append(_ index: Int32, priority: UInt8) {
        count += 1
        if priority == Self.normal {
            if count == 1 { first = index } else { line.append(index) }
        } else {
            if others.isEmpty { others = Array(repeating: Line(), count: 5) }
            others[Int(min(priority, 4))].append(index)
        }
    }

    mutating func popFirst() -> Int32? {
        guard count > 0 else { return nil }
        count -= 1
        if others.isEmpty { return popNormal() }
        return others[4].popFirst() ?? others[3].popFirst() ?? popNormal() ?? others[1].popFirst()
            ?? others[0].popFirst()
    }

    /// The number of the task that many places behind the next one, among those of normal priority.
    @inline(__always)
    func ahead(_ places: Int) -> Int? { line.ahead(places) }

    private mutating func popNormal() -> Int32? {
        guard first >= 0 else { return line.popFirst() }
        defer { first = -1 }
        return first
    }

    private struct Line {
        private var items: [Int32] = []
        private var taken = 0

        mutating func append(_ index: Int32) { items.append(index) }

        @inline(__always)
        func ahead(_ places: Int) -> Int? {
            taken + places < items.count ? Int(items[taken + places]) : nil
        }

        mutating func popFirst() -> Int32? {
            guard taken < items.count else { return nil }
            let index = items[taken]
            taken += 1
            if taken == items.count {
                items.removeAll(keepingCapacity: true)
                taken = 0
            } else if taken >= 1024, 2 * taken >= items.count {
                items.removeFirst(taken)
                taken = 0
            }
            return index
        }
    }
}
