/// Why a program has not done what it was run for.
package struct ProgramFailure: Error, CustomStringConvertible {
    /// One line, which may end with what the program complained of.
    package let description: String
    /// What the program complained of before it ended; nil if it didn't end by itself, or not at all began.
    package let complaint: String?

    /// Whether the program took longer than it may.
    package let isTimeOut: Bool

    init(_ description: String, complaint: String? = nil, isTimeOut: Bool = false) {
        self.description = description
        self.complaint = complaint
        self.isTimeOut = isTimeOut
    }
}
