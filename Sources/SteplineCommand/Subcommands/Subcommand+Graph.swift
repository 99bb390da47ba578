import Foundation
import SteplineReports

extension Subcommand {
    /// `stepline graph FLOW`.
    static let graph = Subcommand(
        name: "graph", summary: "draw the tasks of a workflow file", operands: .flow,
        discussion: ["Nothing runs. Drawings and pages are single files that load nothing."],
        groups: [
            .flow,
            Group(title: "Drawing", rows: [Option.graphFormat.row, Option.graphOut.row, Option.force.row]),
        ],
        examples: [
            Example(
                command: "stepline graph weather.json5 --format svg -o weather.svg", purpose: "draw as SVG"),
            Example(
                command: "stepline graph weather.json5 | dot -Tpng -o weather.png", purpose: "use Graphviz"),
        ]
    ) { arguments, session in
        let input = try FlowInput(arguments, session)
        guard let plan = input.plan else {
            try input.complain(in: session)
            return .mistakes
        }
        let format: PictureFormat =
            switch arguments[.graphFormat] ?? .dot {
            case .dot: .dot
            case .mermaid: .mermaid
            case .svg: .svg
            case .html: .html
            }
        let file = arguments[.graphOut].map {
            OutputFile(session.place($0), format, option: "--out", mayOverwrite: arguments.isOn(.force))
        }
        try file?.check()
        let graph = try plan.workflow().graph { FlowWorkTask.planned(inside: $0) }
        let picture = format.draw(graph)
        if let file { try file.write(picture) } else { try session.output.write(picture) }
        return .success
    }
}
