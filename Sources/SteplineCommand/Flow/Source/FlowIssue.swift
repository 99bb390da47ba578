/// An error or warning in a workflow file.
struct FlowIssue: Sendable, Hashable {
    enum Severity: String, Sendable, Hashable {
        case error, warning
    }

    /// The kinds of issues.
    struct Code: Sendable, Hashable, CustomStringConvertible {
        let description: String

        static let syntax = Code(description: "syntax")
        static let duplicateKey = Code(description: "duplicateKey")
        static let unknownKey = Code(description: "unknownKey")
        static let missingKey = Code(description: "missingKey")
        static let wrongType = Code(description: "wrongType")
        static let wrongValue = Code(description: "wrongValue")
        static let unknownTask = Code(description: "unknownTask")
        static let unknownName = Code(description: "unknownName")
        static let unknownPool = Code(description: "unknownPool")
        static let notAPrerequisite = Code(description: "notAPrerequisite")
        static let cycle = Code(description: "cycle")
        static let unreachable = Code(description: "unreachable")
        static let expression = Code(description: "expression")
        static let query = Code(description: "query")
        static let chain = Code(description: "chain")
        static let missingFile = Code(description: "missingFile")
        static let outside = Code(description: "outside")
        static let secret = Code(description: "secret")
        static let parameter = Code(description: "parameter")
        static let unused = Code(description: "unused")
        static let offline = Code(description: "offline")
        static let program = Code(description: "program")
        static let workflow = Code(description: "workflow")
    }

    let code: Code
    let severity: Severity
    /// The offset in the file.
    let offset: Int
    let message: String
    /// A suggestion.
    let hint: String?

    init(
        _ code: Code, _ severity: Severity = .error, at offset: Int, _ message: String, hint: String? = nil
    ) {
        self.code = code
        self.severity = severity
        self.offset = offset
        self.message = message
        self.hint = hint
    }

    /// Returns one line in the format of compilers: `flow.json5:3:7: error: …`.
    func line(in source: FlowSource) -> String {
        let hint = hint.map { " (\($0))" } ?? ""
        return "\(source.name):\(source.place(at: offset)): \(severity.rawValue): \(message)\(hint)"
    }
}

/// The issues found so far, without duplicates.
struct FlowIssues: Sendable {
    private(set) var all: [FlowIssue] = []
    private var seen: Set<FlowIssue> = []
    private var errorOffsets: Set<Int> = []

    mutating func add(_ issue: FlowIssue) {
        guard seen.insert(issue).inserted else { return }
        all.append(issue)
        if issue.severity == .error { errorOffsets.insert(issue.offset) }
    }

    /// The largest number of issues with suggestions, since each suggestion searches all names.
    private static let mostGuesses = 100

    /// Returns a suggestion for a name, unless there are already many issues.
    func guess(_ name: String, among known: @autoclosure () -> [String]) -> String? {
        all.count < Self.mostGuesses ? Guess.hint(for: name, among: known()) : nil
    }

    mutating func add(_ code: FlowIssue.Code, at offset: Int, _ message: String, hint: String? = nil) {
        add(FlowIssue(code, at: offset, message, hint: hint))
    }

    mutating func warn(_ code: FlowIssue.Code, at offset: Int, _ message: String, hint: String? = nil) {
        add(FlowIssue(code, .warning, at: offset, message, hint: hint))
    }

    var hasErrors: Bool { !errorOffsets.isEmpty }

    func hasError(at offset: Int) -> Bool { errorOffsets.contains(offset) }

    /// The issues in the order of the file.
    var sorted: [FlowIssue] { all.sorted { ($0.offset, $0.message) < ($1.offset, $1.message) } }
}
