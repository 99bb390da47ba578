import Foundation
import SteplineJSON
import SteplineSteps
import SteplineSupport

extension FlowAppend {
    /// Appends the value to the file as whole lines.
    ///
    /// A task's retry runs all steps again, and a continued run repeats an interrupted task from its first step. Lines
    /// that were appended before are then appended a second time. An append should therefore be the last step of its
    /// task. The process must then end before the task's end is stored for the append to be repeated.
    func write(_ value: FlowValue, in scope: FlowScope) throws {
        let path = try scope.filePath(place)
        let file = try scope.setting.folder.resolveForWriting(path)
        let appender = FileAppender(
            file.path(percentEncoded: false), scope.setting.clock, checkCancellation: scope.checkCancellation)
        let format = try format ?? Self.format(of: path, for: value)
        let lines = try lines(of: value, as: format)
        try appender.append { beginning in try lines(beginning) }
    }

    /// The format that a file's name asks for; without any, texts stay texts and all else is JSON Lines.
    private static func format(of path: String, for value: FlowValue) throws -> FlowSave.Format {
        let format = FlowSave.Format(ofFile: path)
        if format == .json { throw FlowError(wholeJSON) }
        if let format { return format }
        guard case .json(let json) = value, !path.lowercased().hasSuffix(".log") else { return .text }
        return (json.array ?? [json]).allSatisfy { $0.kind == .string } ? .text : .jsonl
    }

    /// The error for a file that is one JSON value.
    static let wholeJSON = "nothing can be appended to a JSON value: name the file .jsonl"

    /// A function that makes the lines, once the beginning of the file is known.
    private func lines(of value: FlowValue, as format: FlowSave.Format) throws -> (Data?) throws -> Data {
        switch (value, format) {
        case (.bytes(let data, _), .text): return { _ in data.endingInLine }
        case (.json(let json), .text):
            let texts = (json.array ?? [json]).map { $0.asText ?? $0.description }
            return { _ in Data(texts.map { $0.ends(with: "\n") ? $0 : $0 + "\n" }.joined().utf8) }
        case (.json(let json), .jsonl):
            return { _ in Data((json.array ?? [json]).map { "\($0)\n" }.joined().utf8) }
        case (.json(let json), .csv), (.json(let json), .tsv):
            let separator: Character = format == .csv ? "," : "\t"
            return { beginning in
                let rows = json.array ?? [json]
                guard !rows.isEmpty else { return Data() }
                let table = FlowTable(rows)
                guard let beginning else { return try Data(table.text(separator: "\(separator)").utf8) }
                let columns = try Self.columns(of: beginning, separator)
                return try Data(table.rows(of: columns, separator: "\(separator)").utf8)
            }
        default: throw FlowError("\(value.article) can't be appended: parse or select first")
        }
    }

    /// Returns the columns in the first line of a table.
    private static func columns(of beginning: Data, _ separator: Character) throws -> [String] {
        let reader = CSVReader(format: CSVFormat(separator: separator, hasHeader: false))
        struct Found: Error { let names: [String] }
        do {
            try reader.read(beginning) { throw Found(names: $0.fields) }
            try reader.finish { throw Found(names: $0.fields) }
        } catch let found as Found {
            return found.names
        }
        return []
    }
}

extension Data {
    /// The data with a final newline, unless it is empty.
    fileprivate var endingInLine: Data {
        isEmpty || last == UInt8(ascii: "\n") ? self : self + Data("\n".utf8)
    }
}
