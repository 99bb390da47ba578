package import Foundation

/// A folder for one test; removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "stepline-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path(percentEncoded: false) }

    /// Returns the names in it or in one of its folders, sorted, hidden ones included.
    package func names(in folder: String = "") throws -> [String] {
        let place = folder.isEmpty ? url : url.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    }

    /// Returns the text of one of its files.
    package func text(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
