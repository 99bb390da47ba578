import Foundation
import SteplineJSON
import SteplineSupport

/// A cache of date formatters, since creating one takes longer than using it.
final class FlowDateFormats: Sendable {
    static let shared = FlowDateFormats()

    private struct Key: Hashable {
        let pattern: String
        let zone: String
    }

    private static let longestPattern = 100
    private static let most = 64

    private let known = Locked<[Key: DateFormatter]>([:])

    private init() {}

    /// Calls a closure with a formatter; throws for an invalid pattern or time zone.
    func use<Value: Sendable>(
        _ pattern: JSON, _ zone: JSON, _ body: (DateFormatter) -> Value
    ) throws -> Value {
        let key = Key(pattern: try FlowFunction.text(pattern), zone: try FlowFunction.text(zone))
        guard key.pattern.utf8.count <= Self.longestPattern else {
            throw FlowFunction.Misuse(message: "the pattern is too long")
        }
        guard let zone = TimeZone(identifier: key.zone) else {
            throw FlowFunction.Misuse(
                message: "there is no time zone \"\(key.zone)\"; one is called \"Europe/Oslo\"")
        }
        return known.withLock { known in
            if let formatter = known[key] { return body(formatter) }
            if known.count >= Self.most { known = [:] }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = zone
            formatter.dateFormat = key.pattern
            known[key] = formatter
            return body(formatter)
        }
    }
}
