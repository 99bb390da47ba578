import Foundation

/// The last figures of each benchmark; a run of some benchmarks leaves the others as they are.
struct Results {
    struct Section: Codable {
        let name: String
        let summary: String
        let machine: String
        let findings: [Finding]
    }

    /// The folder of the benchmarks.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Where the published results are.
    static let file = folder.appending(path: "results.json")

    private(set) var sections: [Section] = []

    /// Has no sections yet.
    init() {}

    /// Reads what is there; nothing if there is no such file yet.
    init(from file: URL) throws {
        guard let data = try? Data(contentsOf: file) else { return }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        sections = try decoder.decode([Section].self, from: data)
    }

    /// Takes in new sections, in the order of `names`; sections of other names go, but for what is kept.
    mutating func take(_ new: [Section], order names: [String]) {
        let all = new + sections
        let kept = Kept.taking(new, into: sections.first { $0.name == Kept.section })
        sections = names.compactMap { name in all.first { $0.name == name } } + [kept]
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(sections).write(to: file)
    }
}
