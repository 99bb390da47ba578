import Foundation
import SteplineSupport

extension WorkflowState {
    /// The date of a reading of the clock, in nanoseconds of its uptime.
    func date(_ uptime: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: calendar + Double(uptime) / 1e9)
    }

    /// The name given to a task, or its kind and position.
    func name(_ index: Int) -> String {
        names[index].isEmpty ? "\(typeName(index)) \(index + 1)" : names[index]
    }

    func typeName(_ index: Int) -> String {
        if case .object(let task) = parts[index].work { "\(type(of: task))" } else { "Task" }
    }

    /// Counts an event of a task, and makes it for those who read.
    mutating func count(
        _ kind: @autoclosure () -> WorkflowEvent.Kind, _ index: Int, attempt: UInt32? = nil
    ) {
        eventCount &+= 1
        if isHeard { emit(kind(), index, attempt: attempt) }
    }

    /// Makes an event, already counted, for those who read.
    mutating func emit(_ kind: WorkflowEvent.Kind, _ index: Int, attempt: UInt32? = nil) {
        record(kind, index)
        guard !readers.isEmpty else { return }
        send(
            kind, task: TaskID(around: options.path, position: index + 1), name: name(index),
            attempt: Int(attempt ?? nodes[index].attempt)
        )
    }

    /// Counts an event of the workflow, and makes it for those who read.
    mutating func countOwn(_ kind: @autoclosure () -> WorkflowEvent.Kind) {
        eventCount &+= 1
        if !readers.isEmpty { send(kind(), task: nil, name: tables.name, attempt: 0) }
    }

    private mutating func send(_ kind: WorkflowEvent.Kind, task: TaskID?, name: String, attempt: Int) {
        let event = WorkflowEvent(
            number: eventCount, time: moment ?? options.clock.now, task: task, name: name, attempt: attempt,
            kind: kind
        )
        if moment == nil { wake(readers.send(event)) } else { fresh.append(event) }
    }

    private mutating func wake(_ wakeups: EventFanout<WorkflowEvent>.Wakeups) {
        for wakeup in wakeups { due.append(.call { wakeup() }) }
    }

    /// What is made of events from now on happens at one time, and goes to the readers in one go.
    @inline(__always)
    mutating func beginMoment() {
        if !readers.isEmpty { moment = options.clock.now }
    }

    @inline(__always)
    mutating func endMoment() {
        guard moment != nil else { return }
        moment = nil
        wake(readers.send(contentsOf: fresh))
        fresh.removeAll(keepingCapacity: true)
    }

    /// Those who wait for the end of a task are to be told, once the lock is released.
    mutating func answerWaiters(_ index: Int) {
        guard nodes[index].flags.contains(.awaited) else { return }
        nodes[index].flags.remove(.awaited)
        let waiters = tables.waiters.removeValue(forKey: Int32(truncatingIfNeeded: index)) ?? []
        let snapshot = snapshot(index)
        for waiter in waiters { due.append(.call { waiter(snapshot) }) }
    }
}

/// An error's text without line breaks, so that a log line stays one.
func errorText(_ error: (any Error)?) -> String {
    guard let error else { return "no error given" }
    let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
