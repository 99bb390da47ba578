import Foundation
import SteplineJSON
import SteplineSupport

/// The folder `answers` of a test case: a file for each exchange, and a manifest.
struct Recording: Sendable {
    /// The parameters of the recorded run.
    var parameters: [(name: String, value: String)] = []
    /// The begin of the recorded run, the value of `now()`.
    var date: String?
    var exchanges: [RecordedExchange] = []

    static let manifest = "manifest.json"
    private static let fileExtension = "http"
    private static let format = 1

    /// An error in a recording.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    init() {}

    /// Reads the folder; throws a `Mistake`.
    init(reading folder: URL) throws {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasSuffix(".\(Self.fileExtension)") }
        var listed: [String] = []
        if let data = try? Data(contentsOf: folder.appending(path: Self.manifest)) {
            listed = try readManifest(data)
        }
        for name in listed where !names.contains(name) {
            throw Mistake(description: "answers/\(name) is missing, which \(Self.manifest) lists")
        }
        // Files added by hand come last; repeated answers keep the order of their numbers.
        let added = names.filter { !listed.contains($0) }.sorted { ($0.count, $0) < ($1.count, $1) }
        exchanges = try (listed + added).map { name in
            do {
                let file = folder.appending(path: name)
                return try RecordedExchange(file: Data(contentsOf: file, options: .mappedIfSafe))
            } catch let mistake as RecordedExchange.Mistake {
                throw Mistake(description: "answers/\(name):\(mistake.line): \(mistake.text)")
            }
        }
    }

    private mutating func readManifest(_ data: Data) throws -> [String] {
        guard let content = try? JSON(parsing: data), content.kind == .object else {
            throw Mistake(description: "answers/\(Self.manifest) is no JSON object")
        }
        guard let format = content["format"]?.int, format == Self.format else {
            throw Mistake(description: "answers/\(Self.manifest) has another format than \(Self.format)")
        }
        date = content["recorded"]?.string
        if let given = content["parameters"] {
            parameters = given.keys.map {
                (name: $0, value: given[$0]?.asText ?? given[$0]?.description ?? "")
            }
        }
        return (content["answers"]?.array ?? []).compactMap { $0["file"]?.string }
    }

    /// Writes the folder, replacing an existing one.
    func write(to folder: URL, hiding secrets: SecretRedactor) throws {
        var files: [String: Data] = [:]
        var listed: [JSON] = []
        for (name, exchange) in named {
            files[name] = exchange.file
            listed.append(
                try JSON(members: [("file", JSON(name)), ("request", JSON(exchange.request.line))]))
        }
        let given = try JSON(
            members: parameters.map { (key: $0.name, value: JSON(secrets.redacted($0.value) ?? $0.value)) })
        let manifest = try JSON(members: [
            ("format", JSON(Self.format)), ("recorded", JSON(date ?? "")), ("parameters", given),
            ("answers", try JSON(elements: listed)),
        ])
        files[Self.manifest] = manifest.data(.pretty) + Data("\n".utf8)
        try FileTree.replace(folder, with: files)
    }

    /// The exchanges with file names, sorted independently of their arrival, except among equal requests.
    private var named: [(name: String, exchange: RecordedExchange)] {
        var counts: [String: Int] = [:]
        let all = exchanges.map { exchange in
            let base = exchange.request.fileName
            counts[base, default: 0] += 1
            return (base: base, number: counts[base] ?? 1, exchange: exchange)
        }
        return all.sorted { ($0.base, $0.number) < ($1.base, $1.number) }.map { part in
            let number = part.number > 1 ? "-\(part.number)" : ""
            return ("\(part.base)\(number).\(Self.fileExtension)", part.exchange)
        }
    }
}
