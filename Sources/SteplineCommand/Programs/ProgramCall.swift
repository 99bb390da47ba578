import Foundation

/// A program, its arguments and its input.
struct ProgramCall: Sendable {
    let name: String
    let executable: URL
    let arguments: [String]
    /// What its environment has beside that of this process.
    var environment: [String: String] = [:]
    let folder: URL
    let input: Data?
    /// The most it may write.
    let limit: Int
    /// Whether what it complains of isn't told, as that may be secret.
    var hidesComplaints = false
}
