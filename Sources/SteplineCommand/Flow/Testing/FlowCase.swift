import Foundation
import SteplineJSON
import SteplineSupport

/// A test case of a workflow file, as described by its folder.
struct FlowCase: Sendable {
    let place: FlowCasePlace
    let recording: Recording
    /// The parameters as `NAME=VALUE`.
    private(set) var parameters: [String] = []
    /// The value of `now()`.
    private(set) var now = standardNow
    /// Replacement values of secrets whose format matters.
    private(set) var secrets: [String: String] = [:]
    /// Whether the run is expected to fail.
    private(set) var fails = false
    private(set) var issues = FlowIssues()
    /// The source of the issues; nil without a file.
    private(set) var source: FlowSource?

    /// A constant date.
    private static let standardNow = JSON("2000-01-01T00:00:00Z")
    /// The keys of `case.json5`, and what each is.
    static let keys = FlowKeys([
        FlowKey("description", .string, "The subject of the case."),
        FlowKey(
            "parameters", .members(of: .any),
            "Parameter values by name, in place of the recording's values."),
        FlowKey(
            "now", .string, "The date of now() (the recording's date, else 2000-01-01T00:00:00Z)."),
        FlowKey(
            "secrets", .members(of: .string), "Placeholder secrets by name, if the format matters."
        ),
        FlowKey("fails", .boolean, "Whether the run should fail (false)."),
    ])

    /// Reads the case; throws a `Recording.Mistake`, and collects issues of `case.json5`.
    init(_ place: FlowCasePlace) throws {
        self.place = place
        recording = try Recording(reading: place.answers)
        var values = Dictionary(
            recording.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        if let date = recording.date, !date.isEmpty { now = JSON(date) }
        if let data = try? Data(contentsOf: place.description) {
            let source = FlowSource(name: place.description.relativePath, bytes: Array(data))
            self.source = source
            var issues = FlowIssues()
            if let root = JSON5Reader.read(source, &issues) {
                var reader = FlowReader(issues: issues)
                take(root, &values, &reader)
                issues = reader.issues
            }
            self.issues = issues
        }
        parameters = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    private mutating func take(_ root: FlowNode, _ values: inout [String: String], _ reader: inout FlowReader)
    {
        guard let fields = reader.fields(root, "a test case", Self.keys) else { return }
        _ = fields["description"].flatMap { reader.text($0, "description") }
        for member in fields["parameters"].map({ reader.members($0, "parameters") }) ?? [] {
            let value = member.value.json
            values[member.key] = value.string ?? value.description
        }
        for member in fields["secrets"].map({ reader.members($0, "secrets") }) ?? [] {
            secrets[member.key] = reader.text(member.value, "a secret")?.string
        }
        fails = reader.truth("fails", of: fields) ?? false
        guard let node = fields["now"], let text = reader.text(node, "now") else { return }
        do {
            now = JSON(FlowFunction.written(try FlowFunction.date(JSON(text.string))))
        } catch {
            reader.issues.add(
                .wrongValue, at: node.offset, "\"\(text.string)\" is no date as 2026-11-23T15:04:05Z")
        }
    }

    /// Returns the cases in a folder, sorted by name.
    static func places(in folder: URL) -> [FlowCasePlace] {
        let path = folder.path(percentEncoded: false)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.begins(with: ".") }.sorted().compactMap { name in
            var isFolder: ObjCBool = false
            let place = URL(filePath: name, directoryHint: .isDirectory, relativeTo: folder)
            let path = place.path(percentEncoded: false)
            let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            return isThere && isFolder.boolValue ? FlowCasePlace(place) : nil
        }
    }
}
