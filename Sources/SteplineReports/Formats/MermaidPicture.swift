import SteplineWorkflow

/// Draws a workflow as a Mermaid flowchart.
struct MermaidPicture {
    static func draw(_ graph: WorkflowGraph) -> String {
        var picture = MermaidPicture()
        picture.line("flowchart LR")
        picture.line("  %% \(PictureFormat.mark)")
        for look in TaskLook.allCases {
            let colors = Palette.light[look]
            let dashes = look == .pending || look == .blocked ? ",stroke-dasharray:4 3" : ""
            let width = look == .failed || look == .executing ? ",stroke-width:2px" : ""
            picture.line(
                "  classDef \(look.rawValue) fill:\(colors.tint),stroke:\(colors.line),"
                    + "color:\(Palette.light.ink)\(dashes)\(width)"
            )
        }
        picture.draw(graph, indent: "  ")
        return picture.text
    }

    private var text = ""

    private mutating func line(_ line: String) { text += line + "\n" }

    private mutating func draw(_ graph: WorkflowGraph, indent: String) {
        for (number, group) in graph.groups.enumerated() {
            let owner = graph.tasks.first?.id.identifier ?? "t"
            line("\(indent)subgraph \(owner)_group\(number)[\"\(Escaping.mermaid(group.name))\"]")
            for index in group.tasks where graph.tasks.indices.contains(index) {
                draw(graph.tasks[index], indent: indent + "  ")
            }
            line("\(indent)end")
        }
        for task in graph.tasks where task.group == nil { draw(task, indent: indent) }
        for edge in graph.edges {
            let from = graph.tasks[edge.prerequisite].id.identifier
            let to = graph.tasks[edge.dependent].id.identifier
            line("\(indent)\(from) \(Self.arrow(edge)) \(to)")
        }
    }

    private mutating func draw(_ task: WorkflowGraph.Task, indent: String) {
        let name = task.id.identifier
        let look = TaskLook(task)
        let label = "\"\(Escaping.mermaid(task.name))<br/>\(Escaping.mermaid(task.summary))\""
        let node = "\(name)\(Self.shape(look, label)):::\(look.rawValue)"
        guard let inside = task.inside, !inside.tasks.isEmpty else {
            line(indent + node)
            return
        }
        line("\(indent)subgraph \(name)_inside[\"\(Escaping.mermaid(inside.name))\"]")
        line("\(indent)  \(node)")
        draw(inside, indent: indent + "  ")
        line("\(indent)end")
    }

    private static func shape(_ look: TaskLook, _ label: String) -> String {
        switch look {
        case .pending: "[\(label)]"
        case .blocked: "[\\\(label)\\]"
        case .ready: "(\(label))"
        case .executing: "([\(label)])"
        case .finished: "[[\(label)]]"
        case .failed: "{{\(label)}}"
        case .cancelled: "[/\(label)/]"
        }
    }

    private static func arrow(_ edge: WorkflowGraph.Edge) -> String {
        var words = edge.keys
        if edge.guards { words.append("cleans up") }
        if edge.allowsFailure { words.append("may fail") }
        let arrow = edge.guards || edge.allowsFailure ? "-.->" : "-->"
        guard !words.isEmpty else { return arrow }
        return "\(arrow)|\"\(Escaping.mermaid(words.joined(separator: ", ")))\"|"
    }
}
