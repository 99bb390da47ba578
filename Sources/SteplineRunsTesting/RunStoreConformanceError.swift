public import Foundation

/// What a store does otherwise than every store must.
public struct RunStoreConformanceError: LocalizedError, Sendable, CustomStringConvertible {
    /// One thing that was demanded, and what came.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// What was demanded.
        public let demanded: String
        /// What came.
        public let came: String

        /// Both in a line.
        public var description: String { "demanded: \(demanded); came: \(came)" }
    }

    /// The store's name.
    public let store: String
    /// The requirement that it doesn't meet.
    public let requirement: String
    /// All that differs, in the order in which it was found: what comes first is often the cause of the rest.
    public let findings: [Finding]

    init(store: String, requirement: String, _ findings: [Finding]) {
        self.store = store
        self.requirement = requirement
        self.findings = findings
    }

    /// A line for the requirement, and one for each finding.
    public var description: String {
        (["\(store) doesn't meet \"\(requirement)\""] + findings.map { "  \($0)" }).joined(separator: "\n")
    }

    /// A line for the requirement, and one for each finding.
    public var errorDescription: String? { description }
}
