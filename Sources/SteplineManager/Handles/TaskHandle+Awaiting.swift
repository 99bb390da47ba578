import SteplineSupport

extension TaskHandle {
    /// The value, as soon as the task has ended; throws its error.
    ///
    /// Any number may wait, before or after the end. Cancelling such a wait throws `CancellationError` and
    /// cancels nothing else. In a body of the same manager it lends the body's slot meanwhile; in the task's own
    /// body it throws `.wouldBlock`.
    public var value: Success {
        get async throws { try await result.get() }
    }

    /// The result, as soon as the task has ended; waits as ``value`` does.
    public var result: Result<Success, any Error> {
        get async {
            if let ended = currentResult { return ended }
            guard let place = ManagerPlace.current, place.kind == .body, place.core === record.core,
                let body = place.record
            else { return await waitForResult() }
            if body === record {
                return .failure(TaskManagerError(.wouldBlock, of: record, attempt: place.attempt))
            }
            record.core.update { $0.lend(body, attempt: place.attempt) }
            let result = await waitForResult()
            record.core.update { $0.takeBack(body, attempt: place.attempt) }
            return result
        }
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
                cancel(because: "the Swift task that waited for it was cancelled")
            }
        }
    }

    private func waitForResult() async -> Result<Success, any Error> {
        let end = OneShot<Void>()
        let waiter = record.core.machine.withLock { _ in record.addWaiter { end.fulfill(()) } }
        if let waiter {
            await withTaskCancellationHandler {
                await end.value
            } onCancel: {
                _ = record.core.machine.withLock { _ in record.removeWaiter(waiter) }
                end.fulfill(())
            }
        }
        return currentResult ?? .failure(CancellationError())
    }
}
