import Foundation
import SteplineJSON
import SteplineSteps
import SteplineSupport

/// The result of one visit of a crawl, as a durable run stores it.
struct CrawlRow: SelfEncodingJSON, Sendable {
    /// The URL of the page in normal form.
    let url: String
    /// The values of the columns; nil if the visit has found no page that may be used.
    let values: [String?]?

    func jsonBytes() throws -> Data {
        var bytes = Array(#"{"url":"#.utf8)
        JSON.append(url, to: &bytes)
        if let values {
            bytes += #","values":"#.utf8
            JSON.append(values, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return Data(bytes)
    }
}

/// Formats the rows of a crawl as lines.
///
/// A row has the same line in every process, and no line contains a line break: values have none.
struct CrawlLines: Sendable {
    let format: CrawlFormat
    let columns: [String]

    /// The line before the first row; nil for JSON Lines.
    var header: Data? {
        get throws { format == .csv ? try csv(columns) : nil }
    }

    /// Returns the line of a row; nil for a visit without a page.
    func line(of row: CrawlRow) throws -> Data? {
        guard let values = row.values else { return nil }
        let fields = [row.url] + values
        guard format == .jsonl else { return try csv(fields) }
        var bytes: [UInt8] = []
        for (column, field) in zip(columns, fields) {
            bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
            JSON.append(column, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSON.append(field, to: &bytes)
        }
        return Data(bytes + "}\n".utf8)
    }

    private func csv(_ fields: [String?]) throws -> Data {
        var writer = try CSVWriter(CSVFormat(hasHeader: false))
        return Data(try writer.bytes(of: Record(names: columns, fields: fields)))
    }

    private struct Record: Encodable {
        let names: [String]
        let fields: [String?]

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var record = encoder.container(keyedBy: Name.self)
            for (name, field) in zip(names, fields) {
                try record.encode(field ?? "", forKey: Name(stringValue: name))
            }
        }
    }
}
