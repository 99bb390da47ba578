import SteplineRunsTesting
import Testing

/// What the places where runs are made are held to.
enum Conformance {
    /// Demands that a run has come to what the plain one has come to, in an order that may be, and is kept so.
    static func expect(_ found: RunStory, as expected: RunStory, _ kept: [String], _ words: String) {
        for difference in found.differences(from: expected) + found.disorders + kept {
            Issue.record("\(words): \(difference)")
        }
    }
}
