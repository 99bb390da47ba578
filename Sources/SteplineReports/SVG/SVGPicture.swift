import SteplineWorkflow

/// Draws a workflow as an SVG image.
enum SVGPicture {
    /// Returns a complete SVG file.
    static func draw(_ graph: WorkflowGraph) -> String {
        let drawing = GraphDrawing(graph)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + drawing.element(isPage: true) + "\n"
    }
}

/// The SVG element of a graph.
struct GraphDrawing {
    let taskCount: Int
    private let name: String
    private let status: String
    private var body = ""
    private var size: (width: Double, height: Double)
    private let legend: GraphLegend

    private static let margin = 24.0

    init(_ graph: WorkflowGraph) {
        taskCount = graph.totalCount
        name = graph.name
        status = graph.statusText
        let metrics = LayoutMetrics(taskCount: taskCount)
        let layout = GraphLayout(graph, metrics)
        var painter = GraphPainter(isCompact: metrics.isCompact)
        painter.paint(graph, layout)
        body = painter.text
        legend = GraphLegend(graph, isCompact: metrics.isCompact)
        size = (max(layout.width, legend.width), layout.height)
    }

    func element(isPage: Bool) -> String {
        let margin = Self.margin
        let width = TimeText.coordinate(size.width + 2 * margin)
        let height = TimeText.coordinate(size.height + legend.height + 3 * margin)
        // In a page, shrink the drawing to 80 per cent before the reader must scroll.
        let least = TimeText.coordinate((size.width + 2 * margin) * 0.8)
        let fit = isPage ? "" : "style=\"width:100%;height:auto;min-width:\(least)px;max-width:\(width)px\" "
        let title = Escaping.xml("\(name): \(TimeText.count(taskCount, "task")), \(status)")
        var text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" role=\"img\" \(fit)width=\"\(width)\" "
            + "height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\"><title>\(title)</title>\n"
        if isPage {
            text += "<!-- \(PictureFormat.mark) -->\n"
            text += "<style>\n\(GraphStyle.sheet)</style>\n\(StateMarks.definitions)\n"
        }
        let place = TimeText.coordinate(margin)
        text += "<g transform=\"translate(\(place) \(place))\">\n\(body)</g>\n"
        let below = TimeText.coordinate(size.height + 2 * margin)
        text += "<g transform=\"translate(\(place) \(below))\">\(legend.text)</g>\n</svg>"
        return text
    }
}
