import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RetryAfter {
    /// The longest accepted delay: longer than any policy waits, and small enough for arithmetic.
    private static let longest: Int64 = 1 << 32

    /// Parses the `Retry-After` header; nil if it is absent or invalid.
    init?(_ response: URLResponse?) {
        guard let http = response as? HTTPURLResponse,
            let value = http.value(forHTTPHeaderField: "Retry-After")
        else { return nil }
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            // More digits than `Int64` can hold count as the longest delay.
            self = .delay(.seconds(min(Int64(text) ?? .max, Self.longest)))
        } else if let date = HTTPDate.date(ofAnyForm: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns whether a response asks for a delay that was clamped.
    static func isBounded(in response: URLResponse) -> Bool {
        RetryAfter(response) == .delay(.seconds(longest))
    }
}
