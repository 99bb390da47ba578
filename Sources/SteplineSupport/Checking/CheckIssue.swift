/// Something that `check()` has found before anything was run.
///
/// The layers add their codes in extensions of ``Code``.
public struct CheckIssue: Sendable, Hashable, CustomStringConvertible {
    /// How grave it is.
    public enum Severity: Sendable, Hashable, Comparable {
        /// Is likely a mistake, but stops nothing.
        case warning
        /// Stops a start.
        case error
    }

    /// The kinds of findings; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Makes a code of one's own.
        public init(_ name: String) { description = name }
    }

    /// What kind of finding it is.
    public let code: Code
    /// How grave it is.
    public let severity: Severity
    /// The name of the step or task it is about; empty if it is about the whole.
    public let subject: String
    /// Where that is, such as `step 2 of 3 "decode"`; empty if it is about the whole.
    public let place: String
    /// The places from the outermost whole inwards, each counted from 1; empty if it is about the whole.
    public let path: [Int]
    /// The content key that it is about.
    public let key: String?
    /// The type that is wanted.
    public let wanted: String?
    /// The type that would be found.
    public let found: String?
    /// What was found, without the place.
    public let text: String

    /// Makes a finding.
    public init(
        _ code: Code, _ severity: Severity = .error, subject: String = "", place: String = "",
        path: [Int] = [],
        key: String? = nil, wanted: String? = nil, found: String? = nil, _ text: String
    ) {
        self.code = code
        self.severity = severity
        self.subject = subject
        self.place = place
        self.path = path
        self.key = key
        self.wanted = wanted
        self.found = found
        self.text = text
    }

    /// One readable line: `step 2 of 3 "decode": nothing before it writes "bodyData" (Data is wanted)`.
    public var description: String { place.isEmpty ? text : "\(place): \(text)" }
}
