import SteplineSupport

/// Names a run: the workflow's name, and a key of the user's.
public struct RunID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the workflow.
    public var workflow: String
    /// Which of its runs.
    public var key: String

    /// Names a run.
    public init(_ workflow: String, key: String) {
        self.workflow = workflow
        self.key = key
    }

    /// Whether both are written alike, scalar for scalar, as stores tell runs apart.
    public static func == (left: RunID, right: RunID) -> Bool {
        ExactText(left.workflow) == ExactText(right.workflow) && ExactText(left.key) == ExactText(right.key)
    }

    /// Hashes what runs are told apart by.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(workflow))
        hasher.combine(ExactText(key))
    }

    /// `workflow/key`.
    public var description: String { "\(workflow)/\(key)" }
}

extension RunID {
    /// A text of 32 digits that one step of one run has, and no other.
    func digest(of step: String) -> String {
        let name = Array("\(workflow)\0\(key)\0\(step)".utf8)
        return SHA256.digits(name.withUnsafeBytes { SHA256.hash($0) }.prefix(16))
    }
}
