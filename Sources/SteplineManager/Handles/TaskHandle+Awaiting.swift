public import SteplineSupport

extension TaskHandle {
    /// The task's value, after its end.
    ///
    /// A manager starts its tasks by itself, so waiting joins what was added. For a task that was added with
    /// `startsImmediately: false` this waits until `start()` is called.
    ///
    /// Any number of tasks can wait, before or after the end. Cancelling a wait cancels nothing else. In a body of the
    /// same manager the wait frees the body's slot.
    ///
    /// - Throws: The task's error, or `CancellationError` if the task or the wait was cancelled. `.wouldBlock` in the
    ///   task's own body.
    public var value: Success {
        get async throws { try await outcome().get() }
    }

    /// Waits for the end of the task like ``value``, and never throws.
    ///
    /// - Returns: The outcome; `.cancelled(.awaitingTask)` if the wait was cancelled.
    public func outcome() async -> Outcome<Success> {
        // In a body of the same manager, a wait with an occupied slot could block the awaited task forever.
        guard currentOutcome == nil, let place = ManagerPlace.current, place.kind == .body,
            place.control === control, let body = place.record
        else { return await waitForOutcome() }
        // A body that waits for its own task would never end.
        if body === record { return .failure(record.error(.wouldBlock)) }
        control.lendSlot(of: body, attempt: place.attempt)
        let outcome = await waitForOutcome()
        control.takeBackSlot(of: body, attempt: place.attempt)
        return outcome
    }

    /// The value for a caller of `run`: cancelling the wait cancels the task.
    package var valueOfRun: Success {
        get async throws {
            try await withTaskCancellationHandler {
                do {
                    // The task ended as cancelled because this wait was: report the cancellation of the wait.
                    return try await value
                } catch  where Task.isCancelled {
                    throw CancellationError()
                }
            } onCancel: {
                cancel(.awaitingTask)
            }
        }
    }

    private func waitForOutcome() async -> Outcome<Success> {
        let end = TaskWaiter()
        // False: the task has ended, and the line about it is written.
        if control.addWaiter(end, to: record) {
            await withTaskCancellationHandler {
                await end.value
            } onCancel: {
                // A cancellation may come after the end: `wake` then does nothing, because the waiter is woken already.
                control.removeWaiter(end, from: record)
                end.wake()
            }
        }
        return currentOutcome ?? .cancelled(.awaitingTask)
    }
}
