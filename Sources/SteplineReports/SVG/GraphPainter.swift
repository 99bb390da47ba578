import SteplineWorkflow

/// Writes the SVG elements of a graph with a layout: frames first, then edges, then tasks.
struct GraphPainter {
    private(set) var text = ""
    let isCompact: Bool

    init(isCompact: Bool) { self.isCompact = isCompact }

    /// Draws a graph; the critical path of an inner workflow only if its task is critical.
    mutating func paint(_ graph: WorkflowGraph, _ layout: GraphLayout, isCritical: Bool = true) {
        let path = isCritical ? graph.measuredSchedule?.path ?? [] : []
        let critical = Set(path)
        let steps = Set(zip(path, path.dropFirst()).map { [$0, $1] })
        for frame in layout.frames { paint(frame, graph.groups[frame.group].name) }
        if isCompact {
            paintThinEdges(graph, layout, steps)
        } else {
            let ports = EdgePorts(graph, layout)
            for (number, edge) in graph.edges.enumerated() {
                let isCritical = steps.contains([edge.prerequisite, edge.dependent])
                paint(
                    edge, layout, layout.bends[number] ?? [], port: ports.heights[number],
                    isCritical: isCritical
                )
            }
        }
        for (index, task) in graph.tasks.enumerated() {
            paint(task, layout.boxes[index], layout.inside[index], isCritical: critical.contains(index))
        }
    }

    // MARK: Tasks

    private mutating func paint(
        _ task: WorkflowGraph.Task, _ box: TaskBox, _ inside: GraphLayout?, isCritical: Bool
    ) {
        let look = TaskLook(task)
        let place = "transform=\"translate(\(n(box.x)) \(n(box.y)))\""
        text += "<g class=\"\(look.rawValue)\" \(place)><title>\(tip(task))</title>"
        if isCompact, inside == nil {
            if isCritical { text += "<circle class=\"halo\" cx=\"6\" cy=\"6\" r=\"8\"/>" }
            text += StateMarks.use(look, x: 0, y: 0, scale: 0.67)
        } else {
            paintCard(task, look, box, inside, isCritical: isCritical)
        }
        text += "</g>\n"
    }

    private mutating func paintCard(
        _ task: WorkflowGraph.Task, _ look: TaskLook, _ box: TaskBox, _ inside: GraphLayout?,
        isCritical: Bool
    ) {
        if isCritical {
            text += "<rect class=\"halo\" x=\"-3\" y=\"-3\" width=\"\(n(box.width + 6))\" "
            text += "height=\"\(n(box.height + 6))\" rx=\"12\"/>"
        }
        text += "<rect class=\"card\" width=\"\(n(box.width))\" height=\"\(n(box.height))\" rx=\"9\"/>"
        text += StateMarks.use(look, x: 11, y: inside == nil ? 14 : 11)
        let name = Escaping.xml(LayoutMetrics.shortened(task.name))
        text += "<text class=\"name\" x=\"37\" y=\"20\">\(name)</text>"
        text += "<text class=\"word\" x=\"37\" y=\"35\">\(Escaping.xml(task.summary))</text>"
        if let inside, let graph = task.inside {
            let corner = "\(n(GraphLayout.padding)) \(n(GraphLayout.title))"
            text += "<g transform=\"translate(\(corner))\">"
            paint(graph, inside, isCritical: isCritical)
            text += "</g>"
        }
    }

    /// Returns the tooltip of a task.
    private func tip(_ task: WorkflowGraph.Task) -> String {
        var lines = ["\(task.id) \(task.name)", task.summary]
        if task.isCleanup { lines.append("cleans up") }
        if task.isCondition { lines.append("a condition, to be fulfilled from outside") }
        if let note = task.note { lines.append(note) }
        if task.state == .failed { lines += ErrorChain.texts(of: task.error) }
        return Escaping.xml(lines.joined(separator: "\n"))
    }

    private mutating func paint(_ frame: GraphLayout.Frame, _ name: String) {
        let box = frame.box
        text += "<g transform=\"translate(\(n(box.x)) \(n(box.y)))\">"
        text += "<title>\(Escaping.xml(name))</title>"
        text += "<rect class=\"frame\" width=\"\(n(box.width))\" height=\"\(n(box.height))\" rx=\"14\"/>"
        text += "<text class=\"frame-name\" x=\"14\" y=\"17\">"
        text += "\(Escaping.xml(TextWidth.shortened(name, to: (box.width - 28) / 11)))</text></g>\n"
    }

    // MARK: Edges

    private mutating func paint(
        _ edge: WorkflowGraph.Edge, _ layout: GraphLayout, _ bends: [(x: Double, y: Double)],
        port: Double, isCritical: Bool
    ) {
        let from = layout.boxes[edge.prerequisite]
        let to = layout.boxes[edge.dependent]
        let end = (x: to.x - 4, y: to.centerY + port)
        var style = "edge"
        if edge.guards { style += " guards" } else if edge.allowsFailure { style += " may-fail" }
        if isCritical { style += " critical" }
        let tip = isCritical ? "arrow-critical" : "arrow"
        text += "<path class=\"\(style)\" marker-end=\"url(#\(tip))\" "
        text +=
            "d=\"\(Self.route((from.right, from.centerY), layout.exits[edge.prerequisite], bends, end))\"/>"
        if !edge.keys.isEmpty {
            let keys = Escaping.xml(LayoutMetrics.shortened(edge.keys.joined(separator: ", ")))
            text += "<text class=\"key\" text-anchor=\"end\" x=\"\(n(end.x - 10))\" y=\"\(n(end.y - 5))\">"
            text += "\(keys)</text>"
        }
        text += "\n"
    }

    /// Draws all edges as two paths, since browsers are slow with thousands of elements.
    private mutating func paintThinEdges(
        _ graph: WorkflowGraph, _ layout: GraphLayout, _ steps: Set<[Int]>
    ) {
        var usual = ""
        var critical = ""
        for edge in graph.edges {
            let from = layout.boxes[edge.prerequisite]
            let to = layout.boxes[edge.dependent]
            let route = Self.route((from.right, from.centerY), from.right, [], (to.x - 1, to.centerY))
            if steps.contains([edge.prerequisite, edge.dependent]) {
                critical += route
            } else {
                usual += route
            }
        }
        if !usual.isEmpty { text += "<path class=\"edge thin\" d=\"\(usual)\"/>\n" }
        if !critical.isEmpty { text += "<path class=\"edge critical\" d=\"\(critical)\"/>\n" }
    }

    /// Returns a smooth path that starts and ends horizontally.
    private static func route(
        _ start: (x: Double, y: Double), _ exit: Double, _ bends: [(x: Double, y: Double)],
        _ end: (x: Double, y: Double)
    ) -> String {
        var path = "M\(n(start.x)) \(n(start.y))"
        var last = start
        if exit > start.x {
            path += "H\(n(exit))"
            last.x = exit
        }
        for (number, point) in (bends + [end]).enumerated() {
            if number % 2 == 1 {
                // Odd points are ends of bends: a horizontal line through the layer.
                path += "H\(n(point.x))"
            } else if abs(last.y - point.y) < 0.5, point.x > last.x {
                path += "H\(n(point.x))"
            } else {
                let pull = point.x > last.x ? max(10, (point.x - last.x) / 2) : 40
                path += "C\(n(last.x + pull)) \(n(last.y)) \(n(point.x - pull)) \(n(point.y)) "
                path += "\(n(point.x)) \(n(point.y))"
            }
            last = point
        }
        return path
    }

    private func n(_ value: Double) -> String { TimeText.coordinate(value) }
    private static func n(_ value: Double) -> String { TimeText.coordinate(value) }
}
