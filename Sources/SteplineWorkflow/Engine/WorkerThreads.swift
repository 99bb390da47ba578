import Dispatch
import Foundation
import SteplineSupport

/// Threads for synchronous bodies, of this process's workflows only.
///
/// Not those of Dispatch, which lends few: bodies that block would leave none to others. A thread that has
/// nothing to do waits some seconds for the next workflow; when as many as there may be are busy, work waits.
final class WorkerThreads: Sendable {
    static let shared = WorkerThreads(limit: max(64, 8 * ProcessInfo.processInfo.activeProcessorCount))

    /// One thread, parked or at work.
    private final class Seat: Sendable {
        let wakeup = DispatchSemaphore(value: 0)
        private let work = Locked<WorkflowCore?>(nil)

        func give(_ core: WorkflowCore) {
            work.withLock { $0 = core }
            wakeup.signal()
        }

        /// What it was given, once it was woken up.
        func takeWork() -> WorkflowCore? {
            work.withLock { work in
                defer { work = nil }
                return work
            }
        }
    }

    private struct State {
        var parked: [Seat] = []
        var count = 0
        var waiting: [WorkflowCore] = []
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    /// Runs a workflow's worker on some thread, soon.
    func run(_ core: WorkflowCore) {
        enum Place {
            case seat(Seat)
            case newThread
            case line
        }
        let place: Place = state.withLock { state in
            if let seat = state.parked.popLast() { return .seat(seat) }
            guard state.count < limit else {
                state.waiting.append(core)
                return .line
            }
            state.count += 1
            return .newThread
        }
        switch place {
        case .seat(let seat): seat.give(core)
        case .newThread:
            let seat = Seat()
            let thread = Thread { [self] in serve(seat) }
            thread.qualityOfService = .userInitiated
            thread.start()
            // Not before: a thread that is quicker than its start can't be given a name on Linux.
            seat.give(core)
        case .line: break
        }
    }

    private func serve(_ seat: Seat) {
        seat.wakeup.wait()
        var next = seat.takeWork()
        while let core = next {
            Thread.current.name = core.threadName
            core.work()
            next = nextWork(for: seat)
        }
    }

    private func nextWork(for seat: Seat) -> WorkflowCore? {
        let waiting: WorkflowCore? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.parked.append(seat)
            return nil
        }
        if let waiting { return waiting }
        if seat.wakeup.wait(timeout: .now() + 5) == .timedOut {
            let mayLeave = state.withLock { state in
                guard let place = state.parked.firstIndex(where: { $0 === seat }) else { return false }
                state.parked.remove(at: place)
                state.count -= 1
                return true
            }
            if mayLeave { return nil }
            // Somebody has just found work for it.
            seat.wakeup.wait()
        }
        return seat.takeWork()
    }
}
