/// An error on the command line.
struct UsageError: Error, CustomStringConvertible {
    /// The error in one line, with a suggestion if there is one.
    let description: String

    init(_ description: String) { self.description = description }
}
