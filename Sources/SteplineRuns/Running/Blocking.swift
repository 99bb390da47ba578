import Dispatch
import SteplineSupport

/// Calls that block, away from the threads that Swift's tasks share.
enum Blocking {
    private static let queue = DispatchQueue(label: "stepline.runs.store", attributes: .concurrent)

    static func call<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer
    {
        // In a simulation nobody else is held up.
        if Stages.current != nil { return try body() }
        // Handed over under a lock, as ThreadSanitizer doesn't see the order that a continuation makes.
        let answer = Locked(Result<Answer, any Error>?.none)
        let isDone = OneShot<Void>()
        queue.async {
            let result = Result { try body() }
            answer.withLock { $0 = result }
            isDone.fulfill(())
        }
        await isDone.value
        guard let result = answer.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
