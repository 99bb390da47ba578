import SteplineWorkflow

/// The vertical offset at which each edge enters a task, so that arrows and keys don't overlap.
struct EdgePorts {
    /// The offsets by edge.
    private(set) var heights: [Double]

    init(_ graph: WorkflowGraph, _ layout: GraphLayout) {
        heights = Array(repeating: 0, count: graph.edges.count)
        for (index, task) in graph.tasks.enumerated() where task.prerequisites.count > 1 {
            let arriving = task.prerequisites.sorted { left, right in
                (Self.origin(left, graph, layout), left) < (Self.origin(right, graph, layout), right)
            }
            let hasKeys = arriving.contains { !graph.edges[$0].keys.isEmpty }
            let room = (layout.boxes[index].height - 12) / Double(arriving.count - 1)
            let step = min(hasKeys ? 13 : 8, room)
            for (place, edge) in arriving.enumerated() {
                heights[edge] = (Double(place) - Double(arriving.count - 1) / 2) * step
            }
        }
    }

    /// Returns the height from which an edge arrives.
    private static func origin(_ edge: Int, _ graph: WorkflowGraph, _ layout: GraphLayout) -> Double {
        layout.bends[edge]?.last?.y ?? layout.boxes[graph.edges[edge].prerequisite].centerY
    }
}
