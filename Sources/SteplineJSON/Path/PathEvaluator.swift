/// Evaluates JSONPath queries on a tape.
///
/// A node is an index of the tape. Evaluation applies one segment after the other to a list of nodes; filters call
/// `holds(_:_:)`, which evaluates their nested queries in the same way. Nodes may occur more than once, as RFC 9535
/// requires.
///
/// Every node examined is charged to the budget before the work is done, so that a query from an untrusted source
/// can't run for long. Comparisons and regular expressions are charged as they proceed, and stop after the pair or
/// character that exceeds the budget. The flattening of an edited value and the hash table of a large object aren't
/// charged; each is linear and made once. Recursion is bounded by the depth of the query, not of the document. An
/// evaluator is used by one thread for one query.
struct PathEvaluator {
    let tape: Tape
    let root: Int
    /// The remaining effort; for the units see ``JSON/defaultQueryBudget``.
    private(set) var budget: Int
    var matchers = IRegexpMatchers()

    init(_ json: JSON, budget: Int) {
        tape = json.tape
        root = json.index
        self.budget = max(0, budget)
    }

    mutating func nodes(_ segments: [JSONPath.Segment], from start: Int) throws(JSONError) -> [Int] {
        var nodes = [start]
        for segment in segments {
            var next: [Int] = []
            for node in nodes {
                if segment.isDescendant {
                    for place in try containers(under: node) { try select(segment, place, &next) }
                } else {
                    try select(segment, node, &next)
                }
            }
            nodes = next
        }
        return nodes
    }

    mutating func spend(_ count: Int) throws(JSONError) {
        budget -= count
        guard budget >= 0 else {
            throw JSONError(.tooLarge, message: "The query takes more than its budget allows")
        }
    }

    /// Returns the node and all containers in it, each before its children; empty for a scalar.
    private mutating func containers(under top: Int) throws(JSONError) -> [Int] {
        guard tape[top].isContainer else { return [] }
        // The span bounds the number of nodes in it: charge all of them before the walk.
        try spend(tape[top].upper)
        var result = [top]
        var open = [top]
        var index = top + 1
        while let container = open.last {
            guard index < container + tape[container].upper else {
                open.removeLast()
                continue
            }
            // Step from the key to its value.
            if tape[container].isObject { index += 1 }
            if tape[index].isContainer {
                result.append(index)
                open.append(index)
            }
            index += 1
        }
        return result
    }

    private mutating func select(
        _ segment: JSONPath.Segment, _ node: Int, _ result: inout [Int]
    ) throws(JSONError) {
        for selector in segment.selectors {
            switch selector {
            case .name(let name):
                try spend(1)
                if let value = tape.value(under: name, in: node) { result.append(value) }
            case .index(let position):
                // The elements have different sizes, so the look-up walks over all elements before the position.
                try spend(tape[node].isArray && !tape.hasPlainElements(node) ? tape[node].lower : 1)
                if let element = tape.element(at: position, in: node) { result.append(element) }
            case .wildcard:
                result += try children(node)
            case .slice(let start, let end, let step):
                guard tape[node].isArray else { continue }
                let elements = try children(node)
                result += PathEvaluator.slice(elements.count, start, end, step).map { elements[$0] }
            case .filter(let condition):
                for child in try children(node) where try holds(condition, child) { result.append(child) }
            }
        }
    }

    private mutating func children(_ node: Int) throws(JSONError) -> [Int] {
        let header = tape[node]
        guard header.isContainer else { return [] }
        try spend(header.lower + 1)
        var result: [Int] = []
        result.reserveCapacity(header.lower)
        var index = node + 1
        for _ in 0..<header.lower {
            if header.isObject { index += 1 }
            result.append(index)
            index = tape.next(index)
        }
        return result
    }

    /// Returns the positions that a slice selects from `count` elements.
    static func slice(_ count: Int, _ start: Int?, _ end: Int?, _ step: Int) -> [Int] {
        guard step != 0, count > 0 else { return [] }
        func clamped(_ bound: Int, _ lowest: Int, _ highest: Int) -> Int {
            min(max(bound < 0 ? bound + count : bound, lowest), highest)
        }
        if step > 0 {
            let lower = clamped(start ?? 0, 0, count)
            return Array(stride(from: lower, to: clamped(end ?? count, 0, count), by: step))
        }
        let upper = start.map { clamped($0, -1, count - 1) } ?? count - 1
        return Array(stride(from: upper, to: end.map { clamped($0, -1, count - 1) } ?? -1, by: step))
    }
}
