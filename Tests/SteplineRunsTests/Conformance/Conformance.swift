import RunsTestSupport
import SteplineRunsTesting
import TestSupport
import Testing

/// The requirements of each store.
enum Conformance {
    /// The requirements for stores, and those that whole workflows meet in a store.
    private static let all =
        RunStoreRequirement.all + (1...10).map { .trace(seed: $0) } + (1...2).map { .interruptions(seed: $0) }
    /// The requirements without a seed.
    static let fixed = all.filter { seed(of: $0) == nil }
    /// The requirements without a seed, and the first seed of each random one; in soak all of them.
    static let requirements = all.filter { Chance.isSoak || seed(of: $0) ?? 1 == 1 }

    private static func seed(of requirement: RunStoreRequirement) -> Int? {
        let parts = requirement.description.split(separator: ", seed ")
        return parts.count == 2 ? Int(parts[1]) : nil
    }

    /// Demands that a run has come to what the plain one has come to, in an order that may be, and is kept so.
    static func expect(_ found: RunTrace, as expected: RunTrace, _ kept: [String], _ words: String) {
        for difference in found.differences(from: expected) + found.disorders + kept {
            Issue.record("\(words): \(difference)")
        }
    }
}
