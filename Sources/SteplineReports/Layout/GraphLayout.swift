import SteplineWorkflow

/// Computes positions for the tasks of a workflow, in layers from left to right by prerequisites.
///
/// Layout has four steps: assign layers, order each layer to reduce crossings (``LayerOrder``), choose the heights
/// (``LayerPlacing``), and place the boxes. Groups have lanes of their own, stacked vertically, so that the frame
/// around a group contains no other tasks.
struct GraphLayout {
    struct Frame {
        let group: Int
        let box: TaskBox
    }

    var width = 0.0
    var height = 0.0
    /// The boxes of the tasks.
    var boxes: [TaskBox]
    /// The right edge of each task's layer: edges run horizontally until there, to stay clear of neighbours.
    private(set) var exits: [Double] = []
    /// The layouts of inner workflows by task; their coordinates are relative to the inner corner.
    var inside: [Int: GraphLayout] = [:]
    var frames: [Frame] = []
    /// The points that an edge passes through, by edge; only for edges that cross other layers.
    var bends: [Int: [(x: Double, y: Double)]] = [:]

    /// The space around and above the tasks inside a task or group.
    static let padding = 12.0
    static let title = 52.0
    static let frameTitle = 20.0

    init(_ graph: WorkflowGraph, _ metrics: LayoutMetrics) {
        boxes = []
        for (index, task) in graph.tasks.enumerated() {
            var box = metrics.box(of: task)
            if let inner = task.inside, !inner.tasks.isEmpty {
                let layout = GraphLayout(inner, metrics)
                box.width = max(box.width, layout.width + 2 * Self.padding)
                box.height = layout.height + Self.title + Self.padding
                inside[index] = layout
            }
            boxes.append(box)
        }
        exits = Array(repeating: 0, count: boxes.count)
        var layers = LayerOrder(graph, metrics)
        layers.reduceCrossings()
        place(layers, graph, metrics)
    }

    private mutating func place(_ layers: LayerOrder, _ graph: WorkflowGraph, _ metrics: LayoutMetrics) {
        var placing = LayerPlacing(layers, boxes, metrics)
        placing.align()
        let laneTops = stackLanes(placing, graph, metrics)
        var x = 0.0
        var top = 0.0
        var band = 0.0
        for (number, layer) in layers.layers.enumerated() {
            if number > 0, number % metrics.layersPerBand == 0 {
                x = 0
                top += band + metrics.bandGap
                band = 0
            }
            let wide = layer.lazy.map { placing.size(of: $0).width }.max() ?? 0
            for item in layer {
                let center = placing.centers[item] + laneTops[layers.items[item].lane]
                band = max(band, center + placing.size(of: item).height / 2)
                switch layers.items[item].kind {
                case .task(let index):
                    boxes[index].x = x
                    exits[index] = x + wide
                    boxes[index].y = top + center - boxes[index].height / 2
                case .bend(let edge):
                    bends[edge, default: []].append((x, top + center))
                    bends[edge, default: []].append((x + wide, top + center))
                }
            }
            width = max(width, x + wide)
            x += wide + metrics.layerGap
        }
        height = boxes.lazy.map(\.bottom).max() ?? 0
        makeFrames(graph)
    }

    /// Stacks the lanes vertically, and returns the top of each.
    private func stackLanes(
        _ placing: LayerPlacing, _ graph: WorkflowGraph, _ metrics: LayoutMetrics
    ) -> [Double] {
        var tops: [Double] = []
        var y = 0.0
        for lane in 0...graph.groups.count {
            guard let extent = placing.extents[lane] else {
                tops.append(y)
                continue
            }
            if lane > 0 { y += Self.padding + Self.frameTitle }
            tops.append(y - extent.low)
            y += extent.high - extent.low + metrics.taskGap
            if lane > 0 { y += Self.padding }
        }
        return tops
    }

    private mutating func makeFrames(_ graph: WorkflowGraph) {
        for (number, group) in graph.groups.enumerated() {
            let members = group.tasks.filter { boxes.indices.contains($0) }.map { boxes[$0] }
            guard let left = members.map(\.x).min(), let top = members.map(\.y).min(),
                let right = members.map(\.right).max(), let bottom = members.map(\.bottom).max()
            else { continue }
            let box = TaskBox(
                x: left - Self.padding, y: top - Self.padding - Self.frameTitle,
                width: right - left + 2 * Self.padding,
                height: bottom - top + 2 * Self.padding + Self.frameTitle
            )
            frames.append(Frame(group: number, box: box))
            width = max(width, box.right)
            height = max(height, box.bottom)
        }
        // Frames may extend to negative coordinates.
        let left = min(0, frames.map(\.box.x).min() ?? 0)
        let top = min(0, frames.map(\.box.y).min() ?? 0)
        if left < 0 || top < 0 { move(by: (-left, -top)) }
    }

    private mutating func move(by offset: (x: Double, y: Double)) {
        for index in boxes.indices {
            boxes[index].x += offset.x
            boxes[index].y += offset.y
            exits[index] += offset.x
        }
        bends = bends.mapValues { $0.map { ($0.x + offset.x, $0.y + offset.y) } }
        frames = frames.map { frame in
            var box = frame.box
            box.x += offset.x
            box.y += offset.y
            return Frame(group: frame.group, box: box)
        }
        width += offset.x
        height += offset.y
    }
}
