package import SteplineSupport

/// What a body throws whose work was cancelled from outside: its handle ends as cancelled, and no reactor is asked.
package struct OutsideCancellation: Error {
    let reason: CancellationReason

    package init(_ reason: CancellationReason) { self.reason = reason }
}
