import Foundation
import SteplineJSON
import Testing

/// The data in a report's page, read as its script reads it.
struct ReportBlock {
    let json: JSON
    /// How many bytes the block has.
    let size: Int

    init(_ html: String) throws {
        let opening = "<script type=\"application/json\" id=\"run-data\">"
        let start = try #require(html.range(of: opening))
        let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
        let text = html[start.upperBound..<end.lowerBound]
        size = text.utf8.count
        json = try JSON(parsing: String(text))
    }

    func texts(_ name: String) throws -> [String] {
        try #require(json[name]?.array).map { try #require($0.string) }
    }

    /// The numbers of a column.
    func numbers(_ name: String) throws -> [Int] {
        let text = try #require(json[name]?.string)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let values = Dictionary(uniqueKeysWithValues: zip(digits, 0...))
        var numbers: [Int] = []
        var (value, shift, isNegative) = (0, -1, false)
        for digit in text.drop(while: { $0 == "~" }) {
            let bits = try #require(values[digit], "\(digit) is no digit")
            if shift < 0 {
                (isNegative, value, shift) = (bits & 1 == 1, (bits & 31) >> 1, 4)
            } else {
                value |= (bits & 31) << shift
                shift += 5
            }
            guard bits & 32 == 0 else { continue }
            numbers.append(isNegative ? -value : value)
            shift = -1
        }
        try #require(shift == -1, "the column ends within a number")
        guard text.first == "~" else { return numbers }
        return stride(from: 0, to: numbers.count, by: 2).flatMap {
            Array(repeating: numbers[$0], count: numbers[$0 + 1])
        }
    }

    /// The tasks' own names, without those around them.
    func names() throws -> [String] {
        var last: [UInt16] = []
        return try zip(numbers("shared"), texts("names")).map { shared, rest in
            last = last.prefix(shared) + Array(rest.utf16)
            return String(decoding: last, as: UTF16.self)
        }
    }

    func states() throws -> [String] {
        let words = try texts("states")
        return try numbers("state").map { words[$0] }
    }

    /// Sums of the numbers: a column of differences, as it was.
    func sums(_ name: String) throws -> [Int] {
        try numbers(name).reduce(into: []) { $0.append(($0.last ?? 0) + $1) }
    }

    /// The texts of an error, by its number, which begins at 1.
    func error(_ place: Int) throws -> [String] {
        guard place > 0 else { return [] }
        let all = try texts("texts")
        return try #require(json["errors"]?[place - 1]?.array).map { all[try #require($0.int)] }
    }
}
