package import Foundation
import SteplineSupport

/// A program, its arguments and its input.
package struct ProgramCall: Sendable {
    let name: String
    let executable: URL
    let arguments: [String]
    /// Variables that its environment has beside those that it inherits.
    let environment: [String: String]
    /// The environment that it inherits; nil for that of this process.
    let inherited: [String: String]?
    let folder: URL
    let input: Data?
    /// The most it may write.
    let limit: Int
    /// Whether what it complains of isn't told, as that may be secret.
    let hidesComplaints: Bool
    /// How long it may take; nil if as long as it likes.
    let timeLimit: Duration?

    /// Makes a call of a program.
    ///
    /// - Parameters:
    ///   - name: What errors call the program.
    ///   - environment: Variables that replace or follow those of `inherited`.
    ///   - inherited: The environment that the program inherits; nil for that of this process.
    ///   - limit: The most bytes that it may write.
    ///   - hidesComplaints: Whether errors leave out what it writes to stderr, as that may be secret.
    package init(
        name: String, executable: URL, arguments: [String], environment: [String: String] = [:],
        inheriting inherited: [String: String]? = nil, folder: URL, input: Data?, limit: Int,
        hidesComplaints: Bool = false, timeLimit: Duration? = nil
    ) {
        self.name = name
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.inherited = inherited
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
