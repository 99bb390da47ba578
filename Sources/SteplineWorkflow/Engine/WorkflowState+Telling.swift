import Foundation

extension WorkflowState {
    /// The steps of a change are to be begun, behind those of changes that this thread is telling already.
    mutating func begin(_ steps: [TellingStep], of number: Int32) {
        tables.telling[number]?.steps += steps
    }

    /// The next step of what is told about a task.
    mutating func nextStep(of number: Int32) -> TellingStep? {
        while let (step, thread) = tables.telling[number]?.takeStep() {
            // Asked of the mark alone: for a call of `isWithdrawn` the whole state would be copied.
            let mark = tables.cancelMarks[number]
            if mark?.withdraws(step.ending, on: thread) != true { return step }
        }
        return nil
    }

    /// A step that this thread has still to begin of what it is telling, as it sends a message in the middle.
    mutating func nextStep(on thread: ObjectIdentifier) -> TellingStep? {
        let own = tables.telling.filter { $0.value.thread == thread && !$0.value.steps.isEmpty }
        for number in own.keys.sorted() {
            if let step = nextStep(of: number) { return step }
        }
        return nil
    }

    /// A cancel has reached tasks: what is still to be told of their ends is told by this thread, or not at all.
    mutating func withdrawEndings(of reached: [Int32]) {
        guard !due.isEmpty || !tables.telling.isEmpty || options.callbackQueue != nil else { return }
        let mark = CancelMark(event: eventCount, thread: ObjectIdentifier(Thread.current))
        for number in reached where isTold(Int(number)) { tables.cancelMarks[number] = mark }
    }

    /// Whether a cancel came after a success or failure.
    func isWithdrawn(_ ending: Int?, of number: Int32) -> Bool {
        tables.cancelMarks[number]?.withdraws(ending, on: nil) ?? false
    }
}
