/// Something on the command line that can't be understood.
struct UsageError: Error, CustomStringConvertible {
    /// One line that says what, and what may have been meant.
    let description: String

    init(_ description: String) { self.description = description }
}
