package import SteplineWorkflow

/// The file format of a picture of a workflow.
public struct PictureFormat: Sendable, Hashable, CustomStringConvertible {
    /// The name in lower case, such as `html`.
    public let name: String
    /// The file extension, without the dot.
    package let fileExtension: String

    package let draw: @Sendable (WorkflowGraph) -> String

    /// The language of Graphviz.
    public static let dot = PictureFormat(name: "dot", fileExtension: "dot") { DOTPicture.draw($0) }
    /// A Mermaid flowchart, which GitHub and other sites render in Markdown.
    public static let mermaid = PictureFormat(name: "mermaid", fileExtension: "mmd") {
        MermaidPicture.draw($0)
    }
    /// A drawing of the graph without external resources.
    public static let svg = PictureFormat(name: "svg", fileExtension: "svg") { SVGPicture.draw($0) }
    /// A report in one page without external resources: graph, timeline, critical path, failures and attempts.
    public static let html = PictureFormat(name: "html", fileExtension: "html") { HTMLReport.draw($0) }
    /// Trace events for Perfetto or Chrome: a bar for each attempt, arrows for prerequisites.
    public static let trace = PictureFormat(name: "trace", fileExtension: "json") { TracePicture.draw($0) }

    /// All formats.
    public static let all: [PictureFormat] = [.dot, .mermaid, .svg, .html, .trace]

    /// Makes the format with that name or file extension, ignoring case; nil if there is none.
    public init?(named name: String) {
        let name = name.lowercased()
        guard let found = Self.all.first(where: { $0.name == name || $0.fileExtension == name })
        else {
            return nil
        }
        self = found
    }

    private init(
        name: String, fileExtension: String, draw: @escaping @Sendable (WorkflowGraph) -> String
    ) {
        self.name = name
        self.fileExtension = fileExtension
        self.draw = draw
    }

    /// The name.
    public var description: String { name }

    /// Returns whether both are the same format.
    public static func == (left: PictureFormat, right: PictureFormat) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
