import SteplineWorkflow

/// How much room things take, by how many tasks there are to draw.
struct LayoutMetrics {
    /// Whether tasks are drawn as marks without text.
    let isCompact: Bool
    let layerGap: Double
    let taskGap: Double
    let bandGap: Double
    /// How many tasks may lie above each other before a layer is split in two.
    let tasksPerLayer: Int
    /// After how many layers the drawing goes on below.
    let layersPerBand: Int

    /// More tasks than this are drawn as marks.
    static let mostWithText = 600
    static let longestName = 26

    init(taskCount: Int) {
        isCompact = taskCount > Self.mostWithText
        layerGap = isCompact ? 22 : 68
        taskGap = isCompact ? 4 : 14
        bandGap = isCompact ? 24 : 56
        tasksPerLayer = isCompact ? 60 : 28
        layersPerBand = isCompact ? 40 : 24
    }

    func box(of task: WorkflowGraph.Task) -> GraphLayout.Box {
        if isCompact { return GraphLayout.Box(width: 12, height: 12) }
        let name = TextWidth.of(Self.shortened(task.name)) * 13
        let summary = TextWidth.of(task.summary) * 10
        return GraphLayout.Box(width: max(112, 46 + max(name, summary)), height: 46)
    }

    /// A name that fits: its begin and, as that is often what differs, its end.
    static func shortened(_ name: String) -> String {
        guard name.count > longestName else { return name }
        return "\(name.prefix(longestName - 10))…\(name.suffix(9))"
    }
}
