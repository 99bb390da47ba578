package import SteplineWorkflow

/// What a picture of a workflow is written in.
public struct PictureFormat: Sendable, Hashable, CustomStringConvertible {
    /// Its name in lower case, such as `html`.
    public let name: String
    /// How the names of its files end, without the dot.
    public let fileExtension: String

    package let draw: @Sendable (WorkflowGraph) -> String

    /// The language of Graphviz.
    public static let dot = PictureFormat(name: "dot", fileExtension: "dot") { DOTPicture.draw($0) }
    /// A flowchart for Mermaid, which GitHub and others show in Markdown.
    public static let mermaid = PictureFormat(name: "mermaid", fileExtension: "mmd") {
        MermaidPicture.draw($0)
    }
    /// A drawing of the graph that loads nothing.
    public static let svg = PictureFormat(name: "svg", fileExtension: "svg") { SVGPicture.draw($0) }
    /// A report in one page that loads nothing: graph, timeline, critical path, failures, all attempts.
    public static let html = PictureFormat(name: "html", fileExtension: "html") { HTMLReport.draw($0) }
    /// Trace events for Perfetto or Chrome: a bar for each attempt, arrows along prerequisites.
    public static let trace = PictureFormat(name: "trace", fileExtension: "json") { TracePicture.draw($0) }

    /// All formats there are.
    public static let all: [PictureFormat] = [.dot, .mermaid, .svg, .html, .trace]

    /// The format of that name or file extension, in any case of letters; nil if there is none.
    public init?(named name: String) {
        let wanted = name.lowercased()
        guard let found = Self.all.first(where: { $0.name == wanted || $0.fileExtension == wanted }) else {
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

    /// Whether they are the same format.
    public static func == (left: PictureFormat, right: PictureFormat) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
