import Foundation
import SteplineJSON
import SteplineSupport

/// Dates are texts as ISO 8601 has them, in UTC: `2026-11-23T15:04:05Z`.
extension FlowFunction {
    /// The only function that isn't pure; what it gives can be settled for a run.
    static let now = FlowFunction(
        "now", [], .string, "now(): the date and time"
    ) { _ in JSON(written(Date())) }

    static let dates: [FlowFunction] = [
        now,
        FlowFunction(
            "date", [.text, .maybe(.text), .maybe(.text)], .string,
            "date(text, pattern, zone): the date that a text tells, as 2026-11-23T15:04:05Z"
        ) { values in
            let spelled = try text(values[0])
            guard values.count > 1 else { return JSON(written(try date(values[0]))) }
            let found = try FlowDateFormats.shared.use(values[1], values.count > 2 ? values[2] : "UTC") {
                $0.date(from: spelled)
            }
            guard let found, inRange.contains(found) else {
                throw Misuse(message: "\"\(spelled)\" is no date as \(values[1])")
            }
            return JSON(written(found))
        },
        FlowFunction(
            "dateText", [.text, .text, .maybe(.text)], .string,
            "dateText(date, pattern, zone): the date as \"yyyy-MM-dd HH:mm\" has it, in a zone (UTC)"
        ) { values in
            let date = try date(values[0])
            return JSON(
                try FlowDateFormats.shared.use(values[1], values.count > 2 ? values[2] : "UTC") {
                    $0.string(from: date)
                })
        },
        FlowFunction(
            "dateAdd", [.text, .textOrNumber], .string,
            "dateAdd(date, time): later by \"90s\", \"2h\", \"7d\", or earlier by \"-7d\""
        ) {
            values in
            let spelled = values[1].asText ?? ""
            let isEarlier = spelled.hasPrefix("-")
            guard let time = UnitText.duration(isEarlier ? String(spelled.dropFirst()) : spelled) else {
                throw Misuse(message: "a time is written like \"2h\", \"-7d\", not \(values[1])")
            }
            let sum = try date(values[0]).addingTimeInterval(isEarlier ? -time.seconds : time.seconds)
            guard inRange.contains(sum) else { throw Misuse(message: "that date is too far away") }
            return JSON(written(sum))
        },
        FlowFunction(
            "dateDiff", [.text, .text], .number,
            "dateDiff(date, date): the seconds from the second to the first"
        ) {
            values in
            JSON(computed: try date(values[0]).timeIntervalSince(try date(values[1])))
        },
    ]

    /// The years 1 to 9999, which every text of a date can tell.
    private static let inRange =
        Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

    static func written(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle()) }

    static func date(_ value: JSON) throws -> Date {
        let spelled = try text(value)
        let styles = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            Date.ISO8601FormatStyle().year().month().day(),
        ]
        let date = isReal(spelled) ? styles.lazy.compactMap { try? $0.parse(spelled) }.first : nil
        if let date, inRange.contains(date) { return date }
        throw Misuse(message: "\"\(spelled)\" is no date as 2026-11-23 or 2026-11-23T15:04:05Z")
    }

    /// Whether a text tells a day and a time that there are, and nothing behind: Foundation takes the 30th of February
    /// for one in March.
    private static func isReal(_ text: String) -> Bool {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(6).map { Int($0) ?? .max }
        guard numbers.count >= 3, (1...12).contains(numbers[1]) else { return false }
        let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][numbers[1] - 1]
        guard (1...days).contains(numbers[2]) else { return false }
        if numbers.count == 3 { return text.utf8.count == 10 }
        // A second may be a leap second.
        let isTime = zip(numbers.dropFirst(3), [23, 59, 60]).allSatisfy { $0 <= $1 }
        let tail = text.drop { $0 != "Z" }.dropFirst()
        return isTime && tail.isEmpty && text.allSatisfy { "0123456789-:TZ.+".contains($0) }
    }
}
