import Foundation
import SteplineJSON
import Testing

/// The data in a report's page, read as its script reads it.
struct ReportBlock {
    let json: JSON
    /// How many bytes the block has.
    let size: Int

    init(_ html: String) throws {
        let opening = "<script type=\"application/json\" id=\"run-data\">"
        let start = try #require(html.range(of: opening))
        let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
        let text = html[start.upperBound..<end.lowerBound]
        size = text.utf8.count
        json = try JSON(parsing: String(text))
    }

    /// The objects of the tasks.
    func tasks() throws -> [JSON] { try #require(json["tasks"]?.array) }

    /// The tasks' own names, without those around them.
    func names() throws -> [String] { try tasks().map { try #require($0["name"]?.string) } }

    func states() throws -> [String] {
        let words = try #require(json["states"]?.array).compactMap(\.string)
        return try tasks().map { task in
            let state = try #require(task["state"]?.int)
            return words[state]
        }
    }

    /// A text by its index, which begins at 1; nil for 0 and where there is none.
    func text(_ index: Int?) throws -> String? {
        guard let index, index > 0 else { return nil }
        return try #require(json["texts"]?[index - 1]?.string)
    }

    /// The attempts of a task: number, begin, time, ending, error and worker, then cause and time of each wait.
    func attempts(_ task: JSON) -> [[Int]] {
        (task["ran"]?.array ?? []).map { ($0.array ?? []).compactMap(\.int) }
    }
}
