import Foundation
import SteplineJSON
import SteplineSteps
import SteplineXML

extension FlowFormat {
    /// Parses bytes or a text.
    func parse(_ value: FlowValue) throws -> FlowValue {
        let (data, origin) = try bytes(of: value)
        switch self {
        case .json: return .json(try JSON(parsing: data))
        case .jsonl: return .json(try lines(data))
        case .csv: return .json(try table(data, separator: ","))
        case .tsv: return .json(try table(data, separator: "\t"))
        case .xml: return .document(try FlowDocument(data, charset: origin.charset, isHTML: false))
        case .html: return .document(try FlowDocument(data, charset: origin.charset, isHTML: true))
        case .feed:
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = .withoutEscapingSlashes
            var options = XML.Options()
            options.charset = origin.charset
            let feed = try Feed(reading: data, base: origin.url, options: options)
            return .json(try JSON(encoding: feed, with: encoder))
        case .text: return .json(try FlowValue.bytes(data, origin).forFormulas())
        }
    }

    private func bytes(of value: FlowValue) throws -> (Data, FlowOrigin) {
        switch value {
        case .bytes(let data, let origin): return (data, origin)
        case .json(let json):
            guard let text = json.string else {
                throw FlowError("\(json.article) is parsed already; only bytes and text can be parsed")
            }
            return (Data(text.utf8), FlowOrigin(charset: "UTF-8"))
        case .document: throw FlowError("an XML document is parsed already")
        }
    }

    /// Parses a table to objects, whose member names come from the first line.
    private func table(_ data: Data, separator: Character) throws -> JSON {
        let reader = CSVReader(format: CSVFormat(separator: separator))
        var rows: [JSON] = []
        func take(_ record: CSVRecord) throws {
            guard rows.count < Self.mostRecords else { throw Self.tooMany }
            rows.append(
                try JSON(members: zip(record.names, record.fields).map { (key: $0, value: JSON($1)) }))
        }
        try reader.read(data, take)
        try reader.finish(take)
        return try JSON(elements: rows)
    }

    /// The largest number of records; each takes about a hundred bytes in addition to its content.
    private static let mostRecords = 4_000_000
    private static let tooMany = FlowError(
        "more than \(mostRecords) records: split the file before it is loaded")

    private func lines(_ data: Data) throws -> JSON {
        var records: [JSON] = []
        var number = -1
        var rest = data[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[end...].dropFirst()
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            guard records.count < Self.mostRecords else { throw Self.tooMany }
            do {
                records.append(try JSON(parsing: Data(line)))
            } catch {
                throw FlowError("line \(number + 1): \(error.message)")
            }
        }
        return try JSON(elements: records)
    }
}

extension Data {
    /// The data without a UTF-8 byte order mark.
    var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}
