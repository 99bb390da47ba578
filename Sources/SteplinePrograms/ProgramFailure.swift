/// The reason why a program failed.
package struct ProgramFailure: Error, CustomStringConvertible {
    /// A description that may end with the program's standard error.
    package let description: String
    /// The end of the program's standard error; nil if the program didn't start or exceeded a limit.
    package let complaint: String?

    /// Whether the program exceeded its time limit.
    package let isTimeOut: Bool

    init(_ description: String, complaint: String? = nil, isTimeOut: Bool = false) {
        self.description = description
        self.complaint = complaint
        self.isTimeOut = isTimeOut
    }
}
