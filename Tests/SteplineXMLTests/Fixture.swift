import Foundation

/// Files under `Fixtures/xml`.
enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/xml")

    static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }
}
