package import SteplineSupport

/// The error of a body whose work was cancelled from outside; its task ends as cancelled, and no reactor is asked.
package struct OutsideCancellation: Error {
    let reason: CancellationReason

    package init(_ reason: CancellationReason) { self.reason = reason }
}
