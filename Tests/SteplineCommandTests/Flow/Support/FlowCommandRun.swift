import Foundation
import TestSupport

@testable import SteplineCommand

/// A folder with a workflow file, in which the command is run.
struct FlowCommandRun {
    let folder: TemporaryFolder

    init(_ text: String = "{}", named name: String = "flow.json5") throws {
        folder = try TemporaryFolder()
        try write(text, to: name)
    }

    /// With a file of `Fixtures/flows`.
    init(fixture name: String) throws {
        try self.init(try FlowFixtures.text(name), named: name)
    }

    func write(_ text: String, to name: String) throws {
        let place = folder.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    func callAsFunction(
        _ arguments: String..., as place: Command.Place = .inProcess
    ) async throws -> CommandResult {
        try await Command.run(arguments, in: folder.url, as: place)
    }
}
