package import Foundation
import SteplineSupport

/// A program, its arguments and its input.
package struct ProgramCall: Sendable {
    let name: String
    let executable: URL
    let arguments: [String]
    /// What its environment has beside that of this process.
    let environment: [String: String]
    let folder: URL
    let input: Data?
    /// The most it may write.
    let limit: Int
    /// Whether what it complains of isn't told, as that may be secret.
    let hidesComplaints: Bool
    /// How long it may take; nil if as long as it likes.
    let timeLimit: Duration?

    /// A call of a program that errors name so.
    ///
    /// Its environment has `environment` beside that of this process. It may write `limit` bytes. What it complains of
    /// isn't told if that may be secret.
    package init(
        name: String, executable: URL, arguments: [String], environment: [String: String] = [:],
        folder: URL, input: Data?, limit: Int, hidesComplaints: Bool = false, timeLimit: Duration? = nil
    ) {
        self.name = name
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.input = input
        self.limit = limit
        self.hidesComplaints = hidesComplaints
        self.timeLimit = timeLimit
    }

    /// Where a program lies whose name is looked up in the folders of a `PATH`.
    package static func executable(_ name: String, in searchPath: String) throws -> URL {
        for folder in searchPath.parts(between: ":") where folder.begins(with: "/") {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(filePath: path) }
        }
        throw ProgramFailure("there is no program \(name)")
    }
}
