import Dispatch
import SteplineSupport

/// Runs blocking calls outside Swift's cooperative thread pool.
enum Blocking {
    private static let queue = DispatchQueue(label: "stepline.runs.store", attributes: .concurrent)

    /// Runs a closure on a queue of its own, and waits for its end also if the Swift task is cancelled.
    static func call<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer
    {
        // A simulation has one thread; blocking there delays no other task.
        if Stages.current != nil { return try body() }
        // The lock orders both accesses. ThreadSanitizer doesn't see the order that a continuation establishes.
        let answer = Locked(Result<Answer, any Error>?.none)
        let isDone = OneShot<Void>()
        queue.async {
            let result = Result { try body() }
            answer.withLock { $0 = result }
            isDone.fulfill(())
        }
        await isDone.value
        // `fulfill` comes after the answer, so this is never nil.
        guard let result = answer.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
