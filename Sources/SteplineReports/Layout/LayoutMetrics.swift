import SteplineWorkflow

/// The sizes and gaps of a layout, depending on the number of tasks.
struct LayoutMetrics {
    /// Whether tasks are drawn as marks without text.
    let isCompact: Bool
    let layerGap: Double
    let taskGap: Double
    let bandGap: Double
    /// The maximum number of tasks in a layer before it is split.
    let tasksPerLayer: Int
    /// The number of layers in a row before the drawing continues below.
    let layersPerBand: Int

    /// The maximum number of tasks that are drawn with text.
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

    func box(of task: WorkflowGraph.Task) -> TaskBox {
        if isCompact { return TaskBox(width: 12, height: 12) }
        let name = TextWidth.of(Self.shortened(task.name)) * 13
        let summary = TextWidth.of(task.summary) * 10
        return TaskBox(width: max(112, 46 + max(name, summary)), height: 46)
    }

    /// Shortens a name to its beginning and its end, which often differ between tasks.
    static func shortened(_ name: String) -> String {
        guard name.count > longestName else { return name }
        return "\(name.prefix(longestName - 10))…\(name.suffix(9))"
    }
}
