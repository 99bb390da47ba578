package import Foundation
package import SteplineRuns

/// Returns the date that many seconds after the start of all trials.
package func moment(_ seconds: Double = 0) -> Date {
    Date(timeIntervalSinceReferenceDate: 800_000_000 + seconds)
}

extension RunOwner {
    /// Returns an owner with this token.
    package static func test(_ token: UInt64 = 1) -> RunOwner {
        RunOwner(host: "host", process: 42, token: token, since: moment())
    }
}

extension RunID {
    /// The run that most trials use.
    package static let test = RunID("mirror", key: "2026-11-22")
}

extension StepFailure {
    /// A failure with all its texts set.
    package static let test = StepFailure(
        code: "URLError -1001", subject: "https://a", message: "timed out", underlying: "x")
}

extension RunStore {
    /// Opens the run of the trial.
    package func openTest(
        _ token: UInt64 = 1, id: RunID = .test, input: Data? = nil
    ) throws -> any OpenRun {
        try open(id, input: input, as: .test(token), at: moment())
    }

    /// Returns all steps of a run, in the store's order.
    package func steps(of id: RunID = .test) throws -> [StepRecord] {
        var steps: [StepRecord] = []
        try forEachStep(of: id) { steps.append($0) }
        return steps
    }

    /// Returns a step of a run; nil if the store has no record of it.
    package func step(_ name: String, of id: RunID = .test) throws -> StepRecord? {
        try steps(of: id).first { $0.name == name }
    }
}

extension OpenRun {
    /// Starts and finishes an attempt; returns whether the store accepted both changes.
    @discardableResult
    package func finish(
        _ step: String, attempt: Int = 1, token: UInt64 = 1, _ result: Data? = nil
    ) throws -> Bool {
        try write([
            StepChange(.began, of: step, attempt: attempt, token: token, at: moment()),
            StepChange(.finished(result), of: step, attempt: attempt, token: token, at: moment(1)),
        ]).isEmpty
    }
}

/// Returns pseudorandom bytes that depend on the seed.
package func bytes(_ count: Int, seed: UInt8 = 7) -> Data {
    var state = UInt64(seed) &+ 1
    var data = Data(capacity: count + 3)
    while data.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Use the upper half: the lower bits of a linear congruential generator repeat after few numbers.
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: state >> 32).littleEndian) {
            data.append(contentsOf: $0)
        }
    }
    return data.prefix(count)
}
