import SteplineJSON

/// The known part of a JSON value before the run: its kind, and that of a list's elements.
struct FlowShape: Sendable {
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

extension FlowStep {
    /// Returns the shape of the step's value; nil for bytes and documents, and after mistakes.
    ///
    /// - Parameters:
    ///   - input: The shape of the value before the step.
    ///   - parameters: The kinds of parameters.
    ///   - results: The shapes of the results of tasks.
    func shape(
        after input: FlowShape?, _ parameters: FlowExpression.Node.Kinds, _ results: [String: FlowShape]
    ) -> FlowShape? {
        switch verb {
        case .load(let load): load.isAnswer ? FlowShape(kind: .object) : nil
        case .pages: .list()
        case .use(let task): results[task.name]
        case .value(let literal): FlowShape(literal, by: parameters)
        case .parse(let format): format.shape
        case .select: .list()
        case .first: .any
        case .columns: .list(of: .object)
        case .transform(let formula): FlowShape(kind: formula.root.kind(by: parameters))
        case .each(let formula): .list(of: formula.root.kind(by: parameters))
        case .filter: .list(of: input?.element)
        case .files: .list(of: .string)
        case .save, .append, .file, .mask, .grow: input
        case .run, .broken: nil
        }
    }
}

extension FlowFormat {
    /// The shape of parsed content; nil for a document.
    fileprivate var shape: FlowShape? {
        switch self {
        case .json: .any
        case .jsonl: .list()
        case .csv, .tsv: .list(of: .object)
        case .feed: FlowShape(kind: .object)
        case .text: FlowShape(kind: .string)
        case .xml, .html: nil
        }
    }
}
