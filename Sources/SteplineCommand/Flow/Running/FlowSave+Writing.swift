import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSteps
import SteplineSupport
import SteplineXML

extension FlowSave {
    /// Writes the value to the file atomically.
    func write(_ value: FlowValue, in scope: FlowScope) throws {
        let path = try scope.filePath(place)
        let file = try scope.setting.folder.resolveForWriting(path)
        let save = FileSaveStep(file)
        let data = try bytes(of: value, path: path)
        save.content.bodyData = data
        scope.setting.recorder?.noteWritten(file)
        save.start()
        if let error = save.error { throw error }
        scope.setting.saved?(ProducedFile(data, at: file))
    }

    private func bytes(of value: FlowValue, path: String) throws -> Data {
        switch (value, format) {
        case (.bytes(let data, _), nil), (.bytes(let data, _), .text): return data
        case (.document(let document), nil), (.document(let document), .text):
            return Data(document.tree.node.xml.utf8)
        case (.json(let json), nil):
            let ending = (path as NSString).pathExtension.lowercased()
            if Self.unwritableEndings.contains(ending) { throw FlowError(Self.unwritable(ending)) }
            // Without a format in the name, text stays text and all else is JSON.
            return try bytes(of: json, as: Format(ofFile: path) ?? (json.kind == .string ? .text : .json))
        case (.json(let json), let format?): return try bytes(of: json, as: format)
        default: throw FlowError("\(value.article) can't be written: parse or select first")
        }
    }

    private func bytes(of json: JSON, as format: Format) throws -> Data {
        switch format {
        case .json: return json.data(.init(isPretty: isPretty)) + Data("\n".utf8)
        case .jsonl:
            guard let elements = json.array else { throw notList(json, "JSON Lines") }
            return Data(elements.map { "\($0)\n" }.joined().utf8)
        case .csv, .tsv:
            guard let rows = json.array else { throw notList(json, "a table") }
            return try Data(FlowTable(rows).text(separator: format == .csv ? "," : "\t").utf8)
        case .text:
            if let elements = json.array {
                return Data(elements.map { ($0.asText ?? $0.description) + "\n" }.joined().utf8)
            }
            return Data((json.asText ?? json.description).utf8)
        }
    }

    private func notList(_ json: JSON, _ what: String) -> FlowError {
        FlowError("\(json.article) can't be written as \(what): expected a list")
    }
}

extension FlowSave.Format {
    /// The format that a file's name asks for.
    init?(ofFile path: String) {
        switch (path as NSString).pathExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv": self = .csv
        case "tsv": self = .tsv
        case "txt": self = .text
        default: return nil
        }
    }
}

/// Writes a list as a table: a line for each row, the columns those of all rows in order of appearance.
struct FlowTable {
    private let rows: [JSON]

    init(_ rows: [JSON]) { self.rows = rows }

    func text(separator: String) throws -> String {
        let columns = try columns()
        return line(columns, separator) + lines(of: columns, separator)
    }

    /// Returns the rows without a header for given columns; throws if a row has another column.
    func rows(of columns: [String], separator: String) throws -> String {
        let known = Set(columns.map { ExactText($0) })
        if let other = try self.columns().first(where: { !known.contains(ExactText($0)) }) {
            throw FlowError(
                "the table has no column \"\(other)\": its columns are \(columns.joined(separator: ", "))")
        }
        return lines(of: columns, separator)
    }

    /// Returns the columns of all rows in order of appearance.
    private func columns() throws -> [String] {
        var columns: [String] = []
        var known: Set<ExactText> = []
        for row in rows {
            guard row.kind == .object else {
                throw FlowError("a table's rows are objects, not \(row.article)")
            }
            for key in row.keys where known.insert(ExactText(key)).inserted { columns.append(key) }
        }
        return columns
    }

    private func lines(of columns: [String], _ separator: String) -> String {
        rows.map { row in line(columns.map { text(row[$0] ?? .null) }, separator) }.joined()
    }

    private func line(_ texts: [String], _ separator: String) -> String {
        texts.map { cell($0, separator) }.joined(separator: separator) + "\n"
    }

    private func text(_ value: JSON) -> String { value.isNull ? "" : value.asText ?? value.description }

    /// Returns a cell, quoted if necessary as in RFC 4180; TSV can't quote tabs and line breaks.
    private func cell(_ text: String, _ separator: String) -> String {
        if separator == "\t" {
            return text.rewriting { "\t\r\n".unicodeScalars.contains($0) ? " " : nil }
        }
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
            return text
        }
        return "\"" + text.rewriting { $0 == "\"" ? "\"\"" : nil } + "\""
    }
}
