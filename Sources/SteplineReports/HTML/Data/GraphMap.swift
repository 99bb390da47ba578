import SteplineWorkflow

/// Where the many tasks of a large graph lie, for a drawing that the page's script makes.
struct GraphMap {
    private(set) var width = 0.0
    private(set) var height = 0.0
    private var lefts = ReportColumn()
    private var tops = ReportColumn()
    /// Row, width and height of each task with others inside; then left, top, width and height of each group.
    private var boxes = ReportColumn()
    private var frames = ReportColumn()
    private(set) var frameNames: [String] = []
    private var last = (x: 0, y: 0)
    private var row = 0

    /// - Parameter graph: The workflow, whose tasks are visited in the order of its ``ReportRow``s.
    init(_ graph: WorkflowGraph) {
        let layout = GraphLayout(graph, LayoutMetrics(taskCount: graph.totalCount))
        add(graph, layout, (0, 0))
        (width, height) = (layout.width, layout.height)
    }

    var columns: [(name: String, column: ReportColumn)] {
        [("left", lefts), ("top", tops), ("boxes", boxes), ("frames", frames)]
    }

    private mutating func add(
        _ graph: WorkflowGraph, _ layout: GraphLayout, _ corner: (x: Double, y: Double)
    ) {
        for frame in layout.frames {
            let box = frame.box
            frameNames.append(graph.groups[frame.group].name)
            for number in [corner.x + box.x, corner.y + box.y, box.width, box.height] {
                frames.append(Int(number))
            }
        }
        for (index, task) in graph.tasks.enumerated() {
            let box = layout.boxes[index]
            let place = (x: Int(corner.x + box.x), y: Int(corner.y + box.y))
            lefts.append(place.x - last.x)
            tops.append(place.y - last.y)
            last = place
            if let inside = layout.inside[index], let inner = task.inside {
                for number in [row, Int(box.width), Int(box.height)] { boxes.append(number) }
                row += 1
                let inset = (corner.x + box.x + GraphLayout.padding, corner.y + box.y + GraphLayout.title)
                add(inner, inside, inset)
            } else {
                row += 1
            }
        }
    }
}
