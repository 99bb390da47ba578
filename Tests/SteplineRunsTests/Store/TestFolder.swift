import Foundation
import SteplineRuns

/// A folder that is gone with the test.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("runs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// A folder for a test, which is gone afterwards.
func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = try TestFolder()
    try withExtendedLifetime(folder) { try body(folder.url) }
}

/// The code of the store's error that is thrown.
func code(_ body: () throws -> Void) -> RunStoreError.Code? {
    do { try body() } catch let error as RunStoreError { return error.code } catch {
        return nil
    }
    return nil
}
