import SteplineSupport

/// The identity of a run: the name of its workflow and a key chosen by the user.
public struct RunID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the workflow.
    public var workflow: String
    /// The key that distinguishes the runs of one workflow.
    public var key: String

    /// Creates the identity of a run.
    public init(_ workflow: String, key: String) {
        self.workflow = workflow
        self.key = key
    }

    /// Returns whether both identities have the same Unicode scalars.
    ///
    /// Stores compare names byte by byte, so canonically equivalent strings name different runs.
    public static func == (left: RunID, right: RunID) -> Bool {
        ExactText(left.workflow) == ExactText(right.workflow) && ExactText(left.key) == ExactText(right.key)
    }

    /// Hashes the Unicode scalars of workflow and key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(workflow))
        hasher.combine(ExactText(key))
    }

    /// `workflow/key`.
    public var description: String { "\(workflow)/\(key)" }
}

extension RunID {
    /// Returns 32 hexadecimal digits derived from the run and the step name.
    ///
    /// The digest is stable across processes: the idempotency key of a step.
    func digest(of step: String) -> String {
        // NUL separates the fields, so ("a", "bc") and ("ab", "c") differ.
        let name = Array("\(workflow)\0\(key)\0\(step)".utf8)
        return SHA256.digits(name.withUnsafeBytes { SHA256.hash($0) }.prefix(16))
    }
}
