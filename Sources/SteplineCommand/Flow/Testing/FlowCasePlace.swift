import Foundation
import SteplineSupport

/// The folder of a test case and its files.
///
///     weather.json5
///     weather.tests/
///       oslo/
///         case.json5    the settings of the case, where they differ from the recording
///         inputs/       files that exist before the run
///         answers/      responses of the network and of programs
///         expected/     results of the run
struct FlowCasePlace: Sendable {
    let folder: URL

    init(_ folder: URL) { self.folder = folder }

    var name: String { folder.lastPathComponent }
    var description: URL { folder.appending(path: "case.json5") }
    var inputs: URL { folder.appending(path: "inputs", directoryHint: .isDirectory) }
    var answers: URL { folder.appending(path: "answers", directoryHint: .isDirectory) }
    var expected: URL { folder.appending(path: "expected", directoryHint: .isDirectory) }

    /// Returns the folder of a workflow file's cases: `NAME.tests` beside it.
    static func folder(ofFlow path: String) -> String {
        let name = path as NSString
        return (name.pathExtension.isEmpty ? path : name.deletingPathExtension) + ".tests"
    }

    /// Throws if the folder exists and isn't a test case.
    func checkForRecording(_ option: String, mayOverwrite: Bool) throws(UsageError) {
        let path = folder.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else { throw UsageError("\(option): that is a file") }
        guard access(path, W_OK) == 0 else { throw UsageError("\(option): nothing can be written there") }
        let own: Set<String> = ["case.json5", "inputs", "answers", "expected"]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard !mayOverwrite,
            let other = names.sorted().first(where: { !own.contains($0) && !$0.begins(with: ".") })
        else { return }
        throw UsageError(
            "\(option): there is a folder already that is no test case, as it has \(other); --force records there"
        )
    }
}
