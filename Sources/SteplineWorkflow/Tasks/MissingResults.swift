import Synchronization

/// Detects that a closure reads the result of a task that isn't Finished.
///
/// A check calls a closure before its prerequisites have run. If the closure reads such a result, its return value says
/// nothing about a later attempt.
package final class MissingResults: Sendable {
    @TaskLocal private static var current: MissingResults?

    private let areRead = Atomic(false)

    private init() {}

    /// Calls a closure and returns its value; nil if it has read a missing result.
    package static func unlessRead<Value>(by body: () throws -> Value) rethrows -> Value? {
        let missing = MissingResults()
        let value = try $current.withValue(missing, operation: body)
        // The body has returned on this thread, so a relaxed load sees each read that it made here.
        return missing.areRead.load(ordering: .relaxed) ? nil : value
    }

    /// Records that the current code has read a missing result.
    static func note() { current?.areRead.store(true, ordering: .relaxed) }
}
