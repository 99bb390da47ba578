import Foundation

/// A program, its arguments and its input.
struct ProgramCall: Sendable {
    let name: String
    let executable: URL
    let arguments: [String]
    let folder: URL
    let input: Data?
    /// The most it may write.
    let limit: Int
}
