/// Finds the vertical position of each item in its lane, close to its neighbours while keeping the layer's order.
struct LayerPlacing {
    /// The vertical centres of the items, relative to their lanes.
    private(set) var centers: [Double]
    /// The vertical extent of each lane.
    private(set) var extents: [Int: (low: Double, high: Double)] = [:]

    private let order: LayerOrder
    private let sizes: [(width: Double, height: Double)]
    private let gap: Double
    private let rounds: Int

    init(_ order: LayerOrder, _ boxes: [TaskBox], _ metrics: LayoutMetrics) {
        self.order = order
        gap = metrics.taskGap
        rounds = metrics.isCompact ? 1 : 6
        sizes = order.items.map { item in
            switch item.kind {
            case .task(let index): (boxes[index].width, boxes[index].height)
            case .bend: (0, 2)
            }
        }
        centers = Array(repeating: 0, count: order.items.count)
    }

    func size(of item: Int) -> (width: Double, height: Double) { sizes[item] }

    mutating func align() {
        for layer in order.layers { settle(layer, wishes: layer.map { _ in 0 }) }
        for _ in 0..<rounds {
            for layer in order.layers {
                settle(layer, wishes: layer.map { wish($0, order.items[$0].before) })
            }
            for layer in order.layers.reversed() {
                settle(layer, wishes: layer.map { wish($0, order.items[$0].after) })
            }
        }
        for (item, center) in centers.enumerated() {
            let half = sizes[item].height / 2
            let lane = order.items[item].lane
            let extent = extents[lane] ?? (center - half, center + half)
            extents[lane] = (min(extent.low, center - half), max(extent.high, center + half))
        }
    }

    /// Returns the mean position of an item's neighbours in the same lane.
    private func wish(_ item: Int, _ neighbours: [Int]) -> Double {
        let near = neighbours.filter { order.items[$0].lane == order.items[item].lane }
        guard !near.isEmpty else { return centers[item] }
        return near.reduce(0) { $0 + centers[$1] } / Double(near.count)
    }

    /// Places the items of a layer as close to their wishes as possible, in order and without overlap.
    ///
    /// Items that would overlap form a block at the mean of their wishes. Blocks that would overlap are merged. The
    /// result minimizes the sum of squared distances, in linear time.
    private mutating func settle(_ layer: [Int], wishes: [Double]) {
        var blocks: [(first: Int, sum: Double, count: Double, lane: Int)] = []
        var offsets: [Double] = []
        for (place, item) in layer.enumerated() {
            let lane = order.items[item].lane
            var offset = 0.0
            if place > 0, order.items[layer[place - 1]].lane == lane {
                offset = offsets[place - 1] + (sizes[layer[place - 1]].height + sizes[item].height) / 2 + gap
            }
            offsets.append(offset)
            blocks.append((place, wishes[place] - offset, 1, lane))
            while blocks.count > 1 {
                let last = blocks[blocks.count - 1]
                let before = blocks[blocks.count - 2]
                guard last.lane == before.lane, before.sum / before.count > last.sum / last.count else {
                    break
                }
                blocks.removeLast()
                blocks[blocks.count - 1].sum += last.sum
                blocks[blocks.count - 1].count += last.count
            }
        }
        for (number, block) in blocks.enumerated() {
            let end = number + 1 < blocks.count ? blocks[number + 1].first : layer.count
            for place in block.first..<end {
                centers[layer[place]] = block.sum / block.count + offsets[place]
            }
        }
    }
}
