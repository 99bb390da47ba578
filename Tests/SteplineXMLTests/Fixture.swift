import Foundation

/// Files under `Fixtures/xml` and `Fixtures/feeds`.
enum Fixture {
    private static let all = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    static let folder = all.appending(path: "xml")

    static let feeds = all.appending(path: "feeds")

    static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    static func feedData(_ name: String) throws -> Data {
        try Data(contentsOf: feeds.appending(path: name))
    }
}
