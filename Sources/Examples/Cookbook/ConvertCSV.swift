import Foundation
import Stepline

/// Converts CSV of any size to JSON Lines; memory holds a chunk of the file and one record.
enum ConvertCSV {
    static func run(_ csv: URL, to lines: URL, print: Print) throws {
        let input = try FileHandle(forReadingFrom: csv)
        let part = lines.appendingPathExtension("part")
        try Data().write(to: part)
        let output = try FileHandle(forWritingTo: part)
        defer { try? output.close() }

        let reader = CSVReader()
        var count = 0
        func write(_ record: CSVRecord) throws {
            let members = zip(record.names, record.fields).map { (key: $0, value: JSON($1)) }
            try output.write(contentsOf: Data("\(try JSON(members: members))\n".utf8))
            count += 1
        }
        while let chunk = try input.read(upToCount: 1 << 16), !chunk.isEmpty { try reader.read(chunk, write) }
        try reader.finish(write)

        try? FileManager.default.removeItem(at: lines)
        try FileManager.default.moveItem(at: part, to: lines)
        print("\(count) records")
    }
}
