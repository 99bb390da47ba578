import Foundation
import Stepline

/// A reading of a thermometer.
struct Reading: Sendable {
    let place: String
    let celsius: Double
}

/// A custom step: two types and `process`.
final class ParseReadings: BasicStep<Data, [Reading]>, @unchecked Sendable {
    override func process(_ csv: Data) throws -> [Reading] {
        let lines = String(decoding: csv, as: UTF8.self).split(whereSeparator: \.isNewline)
        return try lines.dropFirst().map { line in
            let fields = line.split(separator: ",")
            guard fields.count == 2, let celsius = Double(fields[1]) else {
                throw BadLine(line: String(line))
            }
            return Reading(place: String(fields[0]), celsius: celsius)
        }
    }
}

struct BadLine: Error {
    let line: String
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let input = arguments.first, let output = arguments.last else {
    print("usage: Temperatures READINGS.csv TABLE.txt")
    exit(64)
}

let pipeline = Pipeline("temperatures") {
    FileLoadStep(URL(filePath: input))
    ParseReadings().named("parse")
    BlockStep { (readings: [Reading]) in
        Dictionary(grouping: readings, by: \.place).sorted { $0.key < $1.key }.map { place, readings in
            let mean = readings.map(\.celsius).reduce(0, +) / Double(readings.count)
            let name = place.padding(toLength: 12, withPad: " ", startingAt: 0)
            return name + String(format: "%6.1f °C", mean)
        }
    }.named("average")
    BlockStep { (lines: [String]) in Data((lines.joined(separator: "\n") + "\n").utf8) }.named("format")
    FileSaveStep(URL(filePath: output))
}

do {
    let table = try await pipeline.run(returning: .bodyData)
    print(String(decoding: table, as: UTF8.self), terminator: "")
    print("written to \(output)")
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
