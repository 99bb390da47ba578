import SteplineWorkflow

/// Draws a workflow in the language of Graphviz.
struct DOTPicture {
    static func draw(_ graph: WorkflowGraph) -> String {
        var picture = DOTPicture()
        picture.line("digraph workflow {")
        picture.line("  comment=\"\(PictureFormat.mark)\";")
        picture.line("  label=\"\(Escaping.dot(graph.name)) (\(Escaping.dot(graph.statusText)))\";")
        picture.line("  labelloc=t; rankdir=LR; compound=true; fontname=\"sans-serif\";")
        picture.line("  node [fontname=\"sans-serif\", fontsize=11];")
        picture.line("  edge [fontname=\"sans-serif\", fontsize=9, color=\"#6a6f76\"];")
        picture.draw(graph, indent: "  ")
        picture.line("}")
        return picture.text
    }

    private var text = ""

    private mutating func line(_ line: String) { text += line + "\n" }

    private mutating func draw(_ graph: WorkflowGraph, indent: String) {
        for (number, group) in graph.groups.enumerated() {
            let owner = graph.tasks.first?.id.identifier ?? "t"
            line("\(indent)subgraph cluster_\(owner)_group\(number) {")
            line("\(indent)  label=\"\(Escaping.dot(group.name))\"; style=rounded; color=\"#b9b5ae\";")
            for index in group.tasks where graph.tasks.indices.contains(index) {
                draw(graph.tasks[index], indent: indent + "  ")
            }
            line("\(indent)}")
        }
        for task in graph.tasks where task.group == nil { draw(task, indent: indent) }
        for edge in graph.edges {
            let from = graph.tasks[edge.prerequisite]
            let to = graph.tasks[edge.dependent]
            line("\(indent)\(from.id.identifier) -> \(to.id.identifier)\(attributes(of: edge));")
        }
    }

    private mutating func draw(_ task: WorkflowGraph.Task, indent: String) {
        let name = task.id.identifier
        let look = TaskLook(task)
        let label = "\(Escaping.dot(task.name))\\n\(Escaping.dot(task.summary))"
        let node = "\(name) [label=\"\(label)\", \(Self.style(look)), class=\"\(look.rawValue)\"];"
        guard let inside = task.inside, !inside.tasks.isEmpty else {
            line(indent + node)
            return
        }
        line("\(indent)subgraph cluster_\(name) {")
        line(
            "\(indent)  label=\"\(Escaping.dot(inside.name))\"; style=\"rounded,dashed\"; color=\"#6a6f76\";")
        line("\(indent)  \(node)")
        draw(inside, indent: indent + "  ")
        line("\(indent)}")
    }

    private func attributes(of edge: WorkflowGraph.Edge) -> String {
        var attributes: [String] = []
        if !edge.keys.isEmpty {
            attributes.append("label=\"\(Escaping.dot(edge.keys.joined(separator: ", ")))\"")
        }
        if edge.guards {
            attributes.append("style=dotted, tooltip=\"cleans up\"")
        } else if edge.allowsFailure {
            attributes.append("style=dashed, tooltip=\"may fail\"")
        }
        return attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    }

    private static func style(_ look: TaskLook) -> String {
        let shape =
            switch look {
            case .pending: "shape=box, style=\"dashed,filled\""
            case .blocked: "shape=box, style=\"dotted,filled\", penwidth=2"
            case .ready: "shape=box, style=\"rounded,filled\""
            case .executing: "shape=ellipse, style=filled, penwidth=2"
            case .finished: "shape=box, style=filled"
            case .failed: "shape=octagon, style=filled, penwidth=2"
            case .cancelled: "shape=parallelogram, style=filled"
            }
        let colors = Palette.light[look]
        return
            "\(shape), color=\"\(colors.line)\", fillcolor=\"\(colors.tint)\", fontcolor=\"\(Palette.light.ink)\""
    }
}
