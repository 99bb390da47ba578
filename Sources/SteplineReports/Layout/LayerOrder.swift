import SteplineWorkflow

/// The layers of a graph, and the order within each: first in order of addition, then with few crossings.
struct LayerOrder {
    enum Kind {
        case task(Int)
        /// A point where an edge crosses the layer.
        case bend(edge: Int)
    }

    struct Item {
        let kind: Kind
        var layer: Int
        let lane: Int
        var before: [Int] = []
        var after: [Int] = []
    }

    private(set) var items: [Item] = []
    private(set) var layers: [[Int]] = []
    /// The position of each item in its layer.
    private var places: [Int] = []
    private let tasksPerLayer: Int
    private let isCompact: Bool

    init(_ graph: WorkflowGraph, _ metrics: LayoutMetrics) {
        tasksPerLayer = metrics.tasksPerLayer
        isCompact = metrics.isCompact
        var depths: [Int] = []
        for (index, task) in graph.tasks.enumerated() {
            let depth = graph.edges[task.prerequisites].reduce(0) { max($0, depths[$1.prerequisite] + 1) }
            depths.append(depth)
            items.append(Item(kind: .task(index), layer: depth, lane: task.group.map { $0 + 1 } ?? 0))
        }
        for (number, edge) in graph.edges.enumerated() { link(edge, number) }
        layers = Array(repeating: [], count: (depths.max() ?? -1) + 1)
        for index in items.indices { layers[items[index].layer].append(index) }
        for layer in layers.indices { layers[layer].sort { items[$0].lane < items[$1].lane } }
        places = Array(repeating: 0, count: items.count)
        for layer in layers { notePlaces(layer) }
    }

    /// Joins two tasks, with a bend in each layer that the edge crosses.
    private mutating func link(_ edge: WorkflowGraph.Edge, _ number: Int) {
        let from = items[edge.prerequisite]
        let to = items[edge.dependent]
        var last = edge.prerequisite
        let passed = to.layer - from.layer - 1
        // Very long edges get no bends, to limit the number of items.
        if passed > 0, passed <= 8, !isCompact {
            for layer in from.layer + 1..<to.layer {
                items.append(
                    Item(kind: .bend(edge: number), layer: layer, lane: from.lane == to.lane ? to.lane : 0)
                )
                join(last, items.count - 1)
                last = items.count - 1
            }
        }
        join(last, edge.dependent)
    }

    private mutating func join(_ upstream: Int, _ downstream: Int) {
        items[upstream].after.append(downstream)
        items[downstream].before.append(upstream)
    }

    private mutating func notePlaces(_ layer: [Int]) {
        for (place, item) in layer.enumerated() { places[item] = place }
    }

    /// Sorts each layer by the mean of its neighbours, forwards and backwards, and splits layers that are too tall.
    mutating func reduceCrossings() {
        for _ in 0..<(isCompact ? 2 : 6) {
            for layer in layers.indices.dropFirst() { order(layer, by: \.before) }
            for layer in layers.indices.dropLast().reversed() { order(layer, by: \.after) }
        }
        for layer in layers.indices.dropFirst() { order(layer, by: \.before) }
        splitTallLayers()
    }

    private mutating func order(_ layer: Int, by neighbours: KeyPath<Item, [Int]>) {
        let keys = layers[layer].map { item -> Double in
            let others = items[item][keyPath: neighbours]
            if others.isEmpty { return Double(places[item]) }
            return others.reduce(0) { $0 + Double(places[$1]) } / Double(others.count)
        }
        let ordered = zip(layers[layer], keys).sorted { left, right in
            let lanes = (items[left.0].lane, items[right.0].lane)
            return (lanes.0, left.1, places[left.0]) < (lanes.1, right.1, places[right.0])
        }
        layers[layer] = ordered.map(\.0)
        notePlaces(layers[layer])
    }

    private mutating func splitTallLayers() {
        guard layers.contains(where: { $0.count > tasksPerLayer }) else { return }
        var split: [[Int]] = []
        for layer in layers {
            // Split into equal parts, instead of full ones and a remainder.
            let parts = (layer.count + tasksPerLayer - 1) / tasksPerLayer
            let size = max(1, (layer.count + parts - 1) / max(1, parts))
            for begin in stride(from: 0, to: layer.count, by: size) {
                split.append(Array(layer[begin..<min(begin + size, layer.count)]))
            }
        }
        layers = split
        for number in layers.indices {
            for item in layers[number] { items[item].layer = number }
            notePlaces(layers[number])
        }
    }
}
