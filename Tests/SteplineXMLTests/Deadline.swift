import Foundation
import SteplineSupport
import Testing

/// Runs a body on its own thread, and returns nil once the thread has used more processor time than `seconds`.
///
/// Other work of the machine doesn't change the processor time. A thread can't be stopped, so a body that hangs keeps
/// its thread. A body that waits without using the processor is given up after four minutes.
func ending<R: Sendable>(within seconds: Double, _ body: @escaping @Sendable () -> R) -> R? {
    let result = Locked<R?>(nil), clock = Locked<clockid_t?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        clock.withLock { $0 = ownProcessorClock() }
        let made = body()
        result.withLock { $0 = made }
        done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    for _ in 0..<2_400 {
        if done.wait(timeout: .now() + 0.1) == .success { return result.withLock { $0 } }
        if let used = clock.withLock({ $0 }).flatMap(processorSeconds), used > seconds { return nil }
    }
    return nil
}

/// Returns the clock of the processor time that the calling thread uses, where other threads can read it.
private func ownProcessorClock() -> clockid_t? {
    #if os(Linux)
        var clock = clockid_t()
        return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : nil
    #else
        return nil
    #endif
}

/// Returns nil once the clock's thread has ended.
private func processorSeconds(of clock: clockid_t) -> Double? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns how an attempt to read ends.
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
