extension StringProtocol {
    /// The lines that aren't empty.
    ///
    /// In a condition of a test, `split(separator:).map(String.init)` takes the compiler a second.
    package var filledLines: [String] { split(separator: "\n").map { String($0) } }
}
