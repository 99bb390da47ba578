import Foundation
import Stepline
import SteplineTesting

/// Counts words: a step by subclassing.
final class WordCount: BasicStep<String, Int>, @unchecked Sendable {
    override func process(_ text: String) throws -> Int {
        if text == "bad" { throw Broken(number: 7) }
        return text.split(separator: " ").count
    }

    override func makeCopy() throws -> any Step { WordCount() }
}

/// The same, awaiting.
final class AsyncWordCount: AsyncStep<String, Int>, @unchecked Sendable {
    override func process(_ text: String) async throws -> Int {
        await Task.yield()
        if text == "bad" { throw Broken(number: 7) }
        return text.split(separator: " ").count
    }
}

/// A step that ends by callbacks, as the test tells it to.
final class CallbackStep: StepOperation, Step, @unchecked Sendable {
    private let body: @Sendable (CallbackStep) -> Void

    init(_ body: @escaping @Sendable (CallbackStep) -> Void) {
        self.body = body
        super.init()
    }

    override func main() { body(self) }
}

/// Two subclasses that leave out what they ought to override.
final class EmptyBasicStep: BasicStep<Void, Int>, @unchecked Sendable {}
final class EmptyAsyncStep: AsyncStep<Void, Int>, @unchecked Sendable {}
final class EmptyStep: StepOperation, Step, @unchecked Sendable {}

extension StepOperation {
    /// Runs the step alone in a queue, and waits for its end as any user of operations would.
    func runAlone(in queue: OperationQueue = OperationQueue()) async {
        let ended = Recorder<Void>()
        completionBlock = { ended.record(()) }
        queue.addOperation(self)
        await ended.waitForCount(1)
    }
}

extension Content {
    init(object: any Sendable) {
        self.init()
        bodyObject = object
    }

    init(data: Data) {
        self.init()
        bodyData = data
    }
}
