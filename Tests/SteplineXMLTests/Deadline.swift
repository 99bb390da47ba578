import Foundation
import SteplineSupport
import Testing

/// Runs a body on a thread of its own, since one that hangs can't be stopped; nil if it doesn't end in time.
func ending<R: Sendable>(within seconds: Double, _ body: @escaping @Sendable () -> R) -> R? {
    let result = Locked<R?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let made = body()
        result.withLock { $0 = made }
        done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    guard done.wait(timeout: .now() + seconds) == .success else { return nil }
    return result.withLock { $0 }
}

/// What an attempt to read ends in.
func failure(_ body: () throws -> Void) -> XMLFailure {
    do {
        try body()
        return XMLFailure(isRead: true, text: "it is read")
    } catch {
        return XMLFailure(isRead: false, text: "\(error)")
    }
}

struct XMLFailure: Sendable {
    let isRead: Bool
    let text: String
}
