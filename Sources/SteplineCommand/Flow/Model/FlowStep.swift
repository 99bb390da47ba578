import SteplineJSON
import SteplineSupport

/// A step of a task's chain.
struct FlowStep: Sendable {
    enum Verb: Sendable {
        indirect case load(FlowLoad)
        indirect case pages(FlowPages)
        /// The result of a prerequisite.
        case use(FlowReference)
        case value(FlowLiteral)
        case parse(FlowFormat)
        case select(FlowQuery)
        indirect case first(FlowQuery, standard: FlowLiteral?)
        indirect case columns(FlowColumns)
        case transform(FlowExpression)
        case each(FlowExpression)
        case filter(FlowExpression)
        indirect case run(FlowProgram)
        indirect case save(FlowSave)
        indirect case append(FlowAppend)
        /// A list of paths.
        indirect case files(FlowFinding)
        /// Something done to files, which leaves the value as it is.
        indirect case file(FlowFileWork)
        /// A step that couldn't be read, and has been told.
        case broken
    }

    let verb: Verb
    let word: String
    let offset: Int
    var name: String?
    /// How often it is tried; nil for once.
    var retry: RetryPolicy?
    /// How long an attempt may take.
    var timeout: Duration?

    init(verb: Verb, word: String, offset: Int) {
        self.verb = verb
        self.word = word
        self.offset = offset
    }
}

/// What is loaded: a URL, or a file of the workflow's folder.
struct FlowLoad: Sendable {
    let place: FlowTemplate
    var method: String?
    var headers: [(name: String, value: FlowTemplate)] = []
    var body: FlowLiteral?
    var limit: Int?
    /// Whether the value is the whole answer, whatever its status: an object.
    var isAnswer = false
}

/// What bytes are parsed as.
enum FlowFormat: String, Sendable, CaseIterable {
    case json, jsonl, csv, tsv, xml, html, feed, text
}

/// A JSONPath, which begins with `$`, or an XPath.
struct FlowQuery: Sendable {
    enum Language: Sendable {
        case json(JSONPath)
        case xml(String)
    }

    let language: Language
    let offset: Int

    var text: String {
        switch language {
        case .json(let path): path.description
        case .xml(let path): path
        }
    }
}

/// A table: one object for each row, with a member for each column.
struct FlowColumns: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case string, number, integer, boolean
    }

    struct Column: Sendable {
        let name: String
        let query: FlowQuery
        var kind: Kind?
    }

    let columns: [Column]
    var rows: FlowQuery?
}

/// An external program and its arguments; never a line for a shell.
struct FlowProgram: Sendable {
    let program: String
    let arguments: [FlowTemplate]
    let offset: Int
    var environment: [(name: String, value: FlowTemplate)] = []
    var limit: Int?
}

/// Where the value is saved, and how it is written.
struct FlowSave: Sendable {
    enum Format: String, Sendable, CaseIterable {
        case json, jsonl, csv, tsv, text
    }

    let place: FlowTemplate
    var format: Format?
    var isPretty = false
}
