import Foundation
import SteplineJSON
import SteplineSupport

/// The date functions; dates are ISO 8601 texts in UTC: `2026-11-23T15:04:05Z`.
extension FlowFunction {
    /// The only function that isn't pure; a run can fix its value.
    static let now = FlowFunction(
        "now", [], .string, "now(): the date and time"
    ) { _ in JSON(written(Date())) }

    static let dates: [FlowFunction] = [
        now,
        FlowFunction(
            "date", [.text, .maybe(.text), .maybe(.text)], .string,
            "date(text, pattern, zone): the date in a text, as 2026-11-23T15:04:05Z"
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
            "dateText(date, pattern, zone): the date as \"yyyy-MM-dd HH:mm\", in a zone (UTC)"
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
            "dateDiff(date, date): the first minus the second, in seconds"
        ) {
            values in
            JSON(computed: try date(values[0]).timeIntervalSince(try date(values[1])))
        },
    ]

    /// The years 1 to 9999, which ISO 8601 texts can express.
    private static let inRange =
        Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

    static func written(_ date: Date) -> String { ISODate.text(of: date) }

    static func date(_ value: JSON) throws -> Date {
        let spelled = try text(value)
        if let date = ISODate.date(of: spelled), inRange.contains(date) { return date }
        throw Misuse(message: "\"\(spelled)\" is no date as 2026-11-23 or 2026-11-23T15:04:05Z")
    }
}
