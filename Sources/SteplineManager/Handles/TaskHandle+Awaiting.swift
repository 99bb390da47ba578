public import SteplineSupport

extension TaskHandle {
    /// What the task makes, as soon as it has ended; throws its error, or `CancellationError` if it was cancelled.
    ///
    /// Any number may wait, before or after the end. Cancelling such a wait throws `CancellationError` and
    /// cancels nothing else. In a body of the same manager it lends the body's slot meanwhile; in the task's own
    /// body it throws `.wouldBlock`.
    public var value: Success {
        get async throws { try await outcome().get() }
    }

    /// How the task ends, as soon as it has; waits as ``value`` does, and never throws.
    ///
    /// Cancelling such a wait gives `.cancelled(.awaitingTask)`.
    public func outcome() async -> Outcome<Success> {
        if let ended = currentOutcome { return ended }
        guard let place = ManagerPlace.current, place.kind == .body, place.door === door,
            let body = place.record
        else { return await waitForOutcome() }
        if body === record { return .failure(record.error(.wouldBlock)) }
        door.lendSlot(of: body, attempt: place.attempt)
        let outcome = await waitForOutcome()
        door.takeBackSlot(of: body, attempt: place.attempt)
        return outcome
    }

    /// The value for one who runs the task: cancelling his wait cancels the task.
    package var valueOfRun: Success {
        get async throws {
            try await withTaskCancellationHandler {
                do {
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
        if door.addWaiter(end, to: record) {
            await withTaskCancellationHandler {
                await end.value
            } onCancel: {
                door.removeWaiter(end, from: record)
                end.wake()
            }
        }
        return currentOutcome ?? .cancelled(.awaitingTask)
    }
}
