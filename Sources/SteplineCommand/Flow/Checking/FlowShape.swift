import SteplineJSON

/// The known part of a JSON value before the run: its kind, and that of a list's elements.
struct FlowShape: Sendable, Equatable {
    /// The kind; nil if it depends on the run.
    var kind: JSON.Kind?
    /// The kind of all elements of a list; nil if it depends on the run.
    var element: JSON.Kind?

    /// A value of any kind.
    static let any = FlowShape()

    static func list(of element: JSON.Kind? = nil) -> FlowShape { FlowShape(kind: .array, element: element) }

    /// Returns the shape of a written value.
    init(_ literal: FlowLiteral, by parameters: FlowExpression.Node.Kinds) {
        kind = literal.kind(by: parameters)
        let kinds: [JSON.Kind?]
        switch literal {
        case .plain(let json): kinds = json.array?.map(\.kind) ?? []
        case .list(let parts): kinds = parts.map { $0.kind(by: parameters) }
        case .text, .object: kinds = []
        }
        element = kinds.dropFirst().allSatisfy { $0 == kinds[0] } ? kinds.first ?? nil : nil
    }

    init(kind: JSON.Kind? = nil, element: JSON.Kind? = nil) { (self.kind, self.element) = (kind, element) }
}

extension FlowFormat {
    /// The kind of parsed content.
    var kind: FlowKind {
        switch self {
        case .json: .json(.any)
        case .jsonl: .json(.list())
        case .csv, .tsv: .json(.list(of: .object))
        case .feed: .json(FlowShape(kind: .object))
        case .text: .json(FlowShape(kind: .string))
        case .xml, .html: .document
        }
    }
}
