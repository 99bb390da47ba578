public import Foundation

/// A requirement that a store violates, with all differences.
public struct RunStoreConformanceError: LocalizedError, Sendable, CustomStringConvertible {
    /// The name of the store.
    public let store: String
    /// The requirement that the store violates.
    public let requirement: String
    /// A line for each difference, `demanded: …; came: …`, in the order found.
    ///
    /// The first difference often causes the others.
    public let findings: [String]

    init(store: String, requirement: String, _ findings: [String]) {
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
