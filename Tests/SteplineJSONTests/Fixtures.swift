import Foundation

/// The files under `Fixtures/json`.
enum Fixtures {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/json")

    static func names(_ kind: String) -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent(kind).path)
        return (all ?? []).sorted()
    }

    static func data(_ kind: String, _ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(kind).appendingPathComponent(name))
    }
}
