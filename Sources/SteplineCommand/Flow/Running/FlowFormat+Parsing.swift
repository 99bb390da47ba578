import Foundation
import SteplineJSON
import SteplineSteps
import SteplineXML

extension FlowFormat {
    /// The value that the bytes, or the text, spell.
    ///
    /// - Parameters:
    ///   - value: Bytes or a text.
    ///   - mostRecords: The most lines or rows that are parsed: each takes about a hundred bytes beside what it holds.
    func parse(_ value: FlowValue, mostRecords: Int = 4_000_000) throws -> FlowValue {
        let (data, origin) = try bytes(of: value)
        switch self {
        case .json: return .json(try JSON(parsing: data))
        case .jsonl: return .json(try lines(data, mostRecords))
        case .csv: return .json(try table(data, separator: ",", mostRecords))
        case .tsv: return .json(try table(data, separator: "\t", mostRecords))
        case .xml: return .document(try FlowDocument(data, charset: origin.charset, isHTML: false))
        case .html: return .document(try FlowDocument(data, charset: origin.charset, isHTML: true))
        case .feed:
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
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
                throw FlowError("\(json.article) is already parsed; only bytes and text can be parsed")
            }
            return (Data(text.utf8), FlowOrigin(charset: "UTF-8"))
        case .document: throw FlowError("an XML document is already parsed")
        }
    }

    /// An object for each row, whose members are the texts of its fields, by the names of the first line.
    private func table(_ data: Data, separator: Character, _ mostRecords: Int) throws -> JSON {
        let reader = CSVReader(format: CSVFormat(separator: separator))
        var rows: [JSON] = []
        func take(_ record: CSVRecord) throws {
            guard rows.count < mostRecords else { throw Self.tooMany(mostRecords) }
            rows.append(
                try JSON(members: zip(record.names, record.fields).map { (key: $0, value: JSON($1)) }))
        }
        try reader.read(data, take)
        try reader.finish(take)
        return try JSON(elements: rows)
    }

    private static func tooMany(_ mostRecords: Int) -> FlowError {
        FlowError("more than \(mostRecords) records: split the file before it is loaded")
    }

    private func lines(_ data: Data, _ mostRecords: Int) throws -> JSON {
        var records: [JSON] = []
        do {
            try JSON.Stream(of: .lines, in: data).forEach { record in
                guard records.count < mostRecords else { throw Self.tooMany(mostRecords) }
                records.append(record)
            }
        } catch let error as JSONError {
            throw FlowError("line \(error.line): \(error.message)")
        }
        return try JSON(elements: records)
    }
}

extension Data {
    /// The data without a UTF-8 byte order mark.
    var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}
