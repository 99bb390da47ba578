import Foundation
import SteplineSteps

/// Any bytes as comma-separated values: alike however they are cut, and the same when they are written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    guard let first = data.first else { return 0 }
    let separators: [Character] = [",", ";", "\t", " ", "a", "0"]
    let separator = separators[Int(first >> 1) % separators.count]
    let format = CSVFormat(separator: separator, hasHeader: first & 1 == 0, maximumRecordSize: 1000)
    let text = data.dropFirst()
    let whole = read(text, format, pieces: max(count, 1))
    for size in [1, 2, 7] where read(text, format, pieces: size) != whole {
        fatalError("another cut, other records")
    }
    writeAndRead(whole, format)
    return 0
}

private struct Outcome: Equatable {
    var names: [String] = []
    var rows: [[String]] = []
    var lines: [Int] = []
    var failure: String?
}

private func read(_ data: Data, _ format: CSVFormat, pieces size: Int) -> Outcome {
    var outcome = Outcome()
    func take(_ record: CSVRecord) {
        outcome.names = record.names
        outcome.rows.append(record.fields)
        outcome.lines.append(record.line)
    }
    do {
        let reader = CSVReader(format: format)
        for place in stride(from: data.startIndex, to: data.endIndex, by: size) {
            try reader.read(data[place..<min(data.endIndex, place + size)], take)
        }
        try reader.finish(take)
    } catch let error as CSVError {
        outcome.failure = "\(error)"
    } catch {
        fatalError("\(error)")
    }
    return outcome
}

private struct Row: Encodable {
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let names: [String]
    let fields: [String]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, field) in zip(names, fields) {
            try container.encode(field, forKey: Name(stringValue: name))
        }
    }
}

private func writeAndRead(_ outcome: Outcome, _ format: CSVFormat) {
    // A quote takes another one with it.
    var format = format
    format.maximumRecordSize = 10_000
    do {
        var writer = try CSVWriter(format)
        var written = Data()
        for fields in outcome.rows {
            written += try writer.bytes(of: Row(names: outcome.names, fields: fields))
        }
        let again = read(written, format, pieces: 100)
        guard again.failure == nil, again.rows == outcome.rows, again.names == outcome.names else {
            fatalError("written and read, there are other records")
        }
    } catch {
        fatalError("\(error)")
    }
}
