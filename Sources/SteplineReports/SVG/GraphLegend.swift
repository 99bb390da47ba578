import SteplineWorkflow

/// The legend of the shapes and lines that occur in a drawing.
struct GraphLegend {
    private(set) var text = ""
    private(set) var width = 0.0
    let height = 20.0

    init(_ graph: WorkflowGraph, isCompact: Bool) {
        var counts: [TaskLook: Int] = [:]
        var lines: [(style: String, words: String)] = []
        Self.count(graph, &counts)
        for look in TaskLook.allCases {
            guard let count = counts[look] else { continue }
            text += StateMarks.use(look, x: width, y: 0, scale: 0.8)
            add("\(look.word) \(count)", from: width + 20)
        }
        let edges = Self.edges(graph)
        if graph.measuredSchedule != nil { lines.append(("critical", "critical path")) }
        if edges.contains(where: \.allowsFailure) { lines.append(("may-fail", "may fail")) }
        if edges.contains(where: \.guards) { lines.append(("guards", "cleans up")) }
        for line in lines where !isCompact || line.style == "critical" {
            text += "<path class=\"edge \(line.style)\" d=\"M\(TimeText.coordinate(width)) 7.5h30\"/>"
            add(line.words, from: width + 38)
        }
    }

    private mutating func add(_ words: String, from x: Double) {
        text += "<text class=\"word\" x=\"\(TimeText.coordinate(x))\" y=\"11.5\">\(words)</text>"
        width = x + Double(words.count) * 6.2 + 20
    }

    private static func count(_ graph: WorkflowGraph, _ counts: inout [TaskLook: Int]) {
        for task in graph.tasks {
            counts[TaskLook(task), default: 0] += 1
            if let inside = task.inside { count(inside, &counts) }
        }
    }

    private static func edges(_ graph: WorkflowGraph) -> [WorkflowGraph.Edge] {
        graph.edges + graph.tasks.flatMap { $0.inside.map { edges($0) } ?? [] }
    }
}
