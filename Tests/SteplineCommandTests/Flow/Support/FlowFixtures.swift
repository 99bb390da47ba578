import Foundation
import TestSupport

@testable import SteplineCommand

/// The workflow files under `Fixtures/flows`.
enum FlowFixtures {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let folder = repository.appending(path: "Fixtures/flows")

    /// Files without mistakes.
    static let accepted = [
        "archive.json5", "check-site.json5", "feeds.json5", "inbox.json5", "join.json5", "mirror.json5",
        "page.json5", "pages.json5", "prices.json5", "sales.json5", "take-in.json5", "tokens.json5",
        "walk-site.json5", "weather.json5",
    ]

    /// The files that are also there in YAML.
    static let acceptedInYAML = ["archive.yaml", "join.yaml", "prices.yaml"]

    /// Files that end in what is to be found in them.
    static let refused: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "refuse").path)
        return (names ?? []).filter { $0.hasSuffix(".json5") }.sorted()
    }()

    static func source(_ name: String) throws -> FlowSource {
        let data = try Data(contentsOf: folder.appending(path: name))
        return FlowSource(name: name, bytes: Array(data))
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try source(name).bytes, as: UTF8.self)
    }
}

extension FlowSource {
    /// The findings of the file, a line each, without the file's name.
    func findings(folder: FlowFolder? = nil) -> [String] {
        var issues = FlowIssues()
        if let file = FlowReader.read(self, &issues) {
            FlowChecker.check(file, folder: folder, &issues)
        }
        return issues.sorted.map { String($0.line(in: self).dropFirst(name.count + 1)) }
    }
}
