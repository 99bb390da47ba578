public import Foundation

/// A requirement that a store violates, with all differences.
public struct RunStoreConformanceError: LocalizedError, Sendable, CustomStringConvertible {
    /// A difference between the expected and the actual behaviour.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The expected behaviour.
        public let demanded: String
        /// The actual behaviour.
        public let came: String

        /// Both in one line.
        public var description: String { "demanded: \(demanded); came: \(came)" }
    }

    /// The name of the store.
    public let store: String
    /// The requirement that the store violates.
    public let requirement: String
    /// The differences in the order found; the first is often the cause of the others.
    public let findings: [Finding]

    init(store: String, requirement: String, _ findings: [Finding]) {
        self.store = store
        self.requirement = requirement
        self.findings = findings
    }

    /// The requirement in the first line, and a line for each finding.
    public var description: String {
        (["\(store) doesn't meet \"\(requirement)\""] + findings.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The requirement in the first line, and a line for each finding.
    public var errorDescription: String? { description }
}
