/// An issue that `check()` found before the run.
///
/// The modules add their codes in extensions of ``Code``.
public struct CheckIssue: Sendable, Hashable, CustomStringConvertible {
    /// The severity of an issue.
    public enum Severity: Sendable, Hashable, Comparable {
        /// Likely a mistake, but doesn't prevent a start.
        case warning
        /// Prevents a start.
        case error
    }

    /// The kinds of issues; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Creates your own code.
        public init(_ name: String) { description = name }
    }

    /// The kind of issue.
    public let code: Code
    /// The severity.
    public let severity: Severity
    /// The name of the step or task; empty for an issue of the whole.
    public let subject: String
    /// The place, such as `step 2 of 3 "decode"`; empty for an issue of the whole.
    public let place: String
    /// The positions from the outermost level inwards, from 1; empty for an issue of the whole.
    public let path: [Int]
    /// The content key that the issue concerns.
    public let key: String?
    /// The expected type.
    public let expected: String?
    /// The found type.
    public let found: String?
    /// The description of the issue, without its place.
    public let text: String

    /// Creates an issue.
    ///
    /// - Parameters:
    ///   - code: The kind of issue.
    ///   - severity: The severity.
    ///   - subject: The name of the step or task.
    ///   - place: The place.
    ///   - path: The positions from the outermost level inwards.
    ///   - key: The content key that the issue concerns.
    ///   - expected: The expected type.
    ///   - found: The found type.
    ///   - text: The description, without the place.
    public init(
        _ code: Code, _ severity: Severity = .error, subject: String = "", place: String = "",
        path: [Int] = [],
        key: String? = nil, expected: String? = nil, found: String? = nil, _ text: String
    ) {
        self.code = code
        self.severity = severity
        self.subject = subject
        self.place = place
        self.path = path
        self.key = key
        self.expected = expected
        self.found = found
        self.text = text
    }

    /// The issue as a single line: `step 2 of 3 "decode": nothing before it writes "bodyData" (Data is wanted)`.
    public var description: String { place.isEmpty ? text : "\(place): \(text)" }
}
