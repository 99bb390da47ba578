package import Foundation
import SteplineSupport

/// A program with its arguments, environment, input and limits.
package struct ProgramCall: Sendable {
    let name: String
    let executable: URL
    let arguments: [String]
    /// The variables that replace or extend the inherited environment.
    let environment: [String: String]
    /// The inherited environment; nil for that of this process.
    let inherited: [String: String]?
    let folder: URL
    let input: Data?
    /// The maximum size of the standard output, in bytes.
    let limit: Int
    /// Whether errors leave out the standard error, because it may contain secrets.
    let hidesComplaints: Bool
    /// The maximum duration; nil for no limit.
    ///
    /// A step of a flow leaves this nil: its limit cancels the Swift task of the run; see `FlowTimeLimit`.
    let timeLimit: Duration?

    /// Makes a call of a program.
    ///
    /// - Parameters:
    ///   - name: The name of the program in errors.
    ///   - executable: The file to run.
    ///   - arguments: The arguments after the program's path.
    ///   - environment: Variables that replace or extend those of `inherited`.
    ///   - inherited: The environment that the program inherits; nil for that of this process.
    ///   - folder: The working directory.
    ///   - input: The standard input; nil for an empty one.
    ///   - limit: The maximum size of the standard output, in bytes.
    ///   - hidesComplaints: Whether errors leave out the standard error, because it may contain secrets.
    ///   - timeLimit: The maximum duration; nil for no limit.
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

    /// Returns the path of a program, looked up in the folders of a `PATH`.
    package static func executable(_ name: String, in searchPath: String) throws -> URL {
        for folder in searchPath.parts(between: ":") where folder.begins(with: "/") {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(filePath: path) }
        }
        throw ProgramFailure("there is no program \(name)")
    }
}
