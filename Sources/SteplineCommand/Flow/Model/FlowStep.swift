import SteplineJSON
import SteplineSupport

/// A step of a task.
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
        /// Adds the matches, each transformed by the expression, to the elements of the map, and passes the value on.
        indirect case grow(FlowQuery, form: FlowExpression?)
        /// Hides values in later output, and passes the value on.
        case mask(FlowExpression)
        indirect case run(FlowProgram)
        indirect case save(FlowSave)
        indirect case append(FlowAppend)
        /// Produces a list of paths.
        indirect case files(FlowFinding)
        /// Changes files and passes the value on.
        indirect case file(FlowFileWork)
        /// An invalid step that was already reported.
        case broken
    }

    var verb: Verb
    let word: String
    let offset: Int
    var name: String?
    /// The retry policy; nil for a single attempt.
    var retry: RetryPolicy?
    /// The time limit of an attempt.
    var timeout: Duration?

    init(verb: Verb, word: String, offset: Int) {
        self.verb = verb
        self.word = word
        self.offset = offset
    }
}

/// A URL or a file to load.
struct FlowLoad: Sendable {
    let place: FlowTemplate
    var method: String?
    var headers: [(name: String, value: FlowTemplate)] = []
    var body: FlowLiteral?
    var limit: Int?
    /// Whether the value is the complete response as an object, whatever its status.
    var isAnswer = false
}

/// The format that bytes are parsed as.
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

/// A table: an object for each row with a member for each column.
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

/// An external program and its arguments, executed without a shell, or a shell and its script.
struct FlowProgram: Sendable {
    let program: String
    /// The arguments; empty for a script.
    let arguments: [FlowTemplate]
    let offset: Int
    /// The script that the program, a shell, runs; nil for other programs.
    var script: FlowScript?
    var environment: [(name: String, value: FlowTemplate)] = []
    /// The folder in which the program runs; nil for the workflow's folder.
    var folder: FlowTemplate?
    var limit: Int?
    /// Whether values may become options of the program.
    var letsOptions = false
}

/// The file that a value is saved to, and its format.
struct FlowSave: Sendable {
    enum Format: String, Sendable, CaseIterable {
        case json, jsonl, csv, tsv, text
    }

    let place: FlowTemplate
    var format: Format?
    var isPretty = false
}
