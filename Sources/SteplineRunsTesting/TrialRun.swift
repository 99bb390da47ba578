package import Foundation
package import SteplineRuns

/// The moment so many seconds after the one that trials begin at.
package func moment(_ seconds: Double = 0) -> Date {
    Date(timeIntervalSinceReferenceDate: 800_000_000 + seconds)
}

extension RunOwner {
    /// An owner with a token of its own.
    package static func test(_ token: UInt64 = 1) -> RunOwner {
        RunOwner(host: "host", process: 42, token: token, since: moment())
    }
}

extension RunID {
    /// The run that most trials are about.
    package static let test = RunID("mirror", key: "2026-11-22")
}

extension StepFailure {
    /// A failure with all its texts.
    package static let test = StepFailure(
        code: "URLError -1001", subject: "https://a", message: "timed out", underlying: "x")
}

extension RunStore {
    /// Opens the trial's run.
    package func openTest(
        _ token: UInt64 = 1, id: RunID = .test, input: Data? = nil
    ) throws -> any OpenRun {
        try open(id, input: input, as: .test(token), at: moment())
    }

    /// All steps of a run, as they are handed out.
    package func steps(of id: RunID = .test) throws -> [StepRecord] {
        var steps: [StepRecord] = []
        try forEachStep(of: id) { steps.append($0) }
        return steps
    }

    /// One step of a run; nil if nothing is known of it.
    package func step(_ name: String, of id: RunID = .test) throws -> StepRecord? {
        try steps(of: id).first { $0.name == name }
    }
}

extension OpenRun {
    /// Begins and finishes an attempt; whether that was taken.
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

/// Bytes that no other seed gives.
package func bytes(_ count: Int, seed: UInt8 = 7) -> Data {
    var state = UInt64(seed) &+ 1
    var data = Data(capacity: count + 3)
    while data.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The upper half: the lower bits of such numbers repeat soon.
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: state >> 32).littleEndian) {
            data.append(contentsOf: $0)
        }
    }
    return data.prefix(count)
}
