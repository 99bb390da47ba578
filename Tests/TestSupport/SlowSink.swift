import Dispatch
package import SteplineSupport

/// A log's sink that blocks once, at a line after a body has begun, until the third body begins.
///
/// Lines of other threads overtake the blocked one, unless the log's owner keeps their order.
package final class SlowSink: Sendable {
    private let bodies = Locked(0)
    private let mustBlock = Locked(true)
    private let word: String
    private let third = DispatchSemaphore(value: 0)
    private let reported = Locked<[LogRecord]>([])

    /// Makes a sink that blocks at the first such line whose message contains the word.
    package init(blocksAt word: String = "") { self.word = word }

    /// The lines, in the order in which their calls ended.
    package var records: [LogRecord] { reported.withLock { $0 } }

    /// Makes a synchronous log with this sink.
    package func makeLog(minimumLevel: StepLog.Level = .verbose) -> StepLog {
        let log = StepLog(synchronous: true, minimumLevel: minimumLevel)
        log.addSink { record in
            let mayBlock =
                self.bodies.withLock { $0 > 0 } && (self.word.isEmpty || record.message.contains(self.word))
            let blocks = self.mustBlock.withLock { mustBlock in
                defer { mustBlock = mustBlock && !mayBlock }
                return mustBlock && mayBlock
            }
            // A lost order fails the test; a lost signal only slows it down.
            if blocks { _ = self.third.wait(timeout: .now() + 10) }
            self.reported.withLock { $0.append(record) }
        }
        return log
    }

    /// Each body calls this first.
    package func bodyBegins() {
        let number = bodies.withLock { bodies in
            bodies += 1
            return bodies
        }
        if number == 3 { third.signal() }
    }
}
