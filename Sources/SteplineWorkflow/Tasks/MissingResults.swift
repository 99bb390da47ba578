import Synchronization

/// Detects that a closure reads the result of a task that isn't Finished.
///
/// A check calls a closure before its task's prerequisites have run. What the closure returns then tells nothing about
/// what it returns in an attempt, if it has read such a result.
package final class MissingResults: Sendable {
    @TaskLocal private static var current: MissingResults?

    private let areRead = Atomic(false)

    private init() {}

    /// Calls a closure, and returns its value; nil if it has read a result that isn't there.
    package static func unlessRead<Value>(by body: () throws -> Value) rethrows -> Value? {
        let missing = MissingResults()
        let value = try $current.withValue(missing, operation: body)
        return missing.areRead.load(ordering: .relaxed) ? nil : value
    }

    /// A result that isn't there is read on this thread.
    static func note() { current?.areRead.store(true, ordering: .relaxed) }
}
