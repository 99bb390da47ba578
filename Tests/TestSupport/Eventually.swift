package import Testing

/// Waits until a condition holds, and records an issue if it doesn't within `limit`.
///
/// Use it for states that no callback, `Gate` or `Recorder` reports. It checks at once, then after pauses that double
/// from 50 microseconds to 20 milliseconds, so that a busy machine has time for other work. The limit only ends a test
/// that would hang: choose it far above what the condition takes. Returns without an issue if the task is cancelled,
/// which a test's time limit does.
///
/// - Returns: Whether the condition holds.
@discardableResult
package func eventually(
    _ comment: @autoclosure () -> Comment? = nil,
    within limit: Duration = .seconds(60),
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    var pause = Duration.microseconds(50)
    while true {
        if try await condition() { return true }
        if Task.isCancelled { return false }
        guard ContinuousClock.now < end else {
            Issue.record(
                comment() ?? "the condition does not hold after \(limit)", sourceLocation: sourceLocation)
            return false
        }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(20))
    }
}

/// Waits until the task is cancelled, as a body does that only a cancel ends.
package func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
}
