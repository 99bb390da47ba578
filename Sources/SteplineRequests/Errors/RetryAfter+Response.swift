import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RetryAfter {
    /// No longer wait is asked for: more than any policy waits, and little enough for arithmetic.
    private static let longest: Int64 = 1 << 32

    /// What a response says in its `Retry-After`; nil for one that says nothing that can be read, and for none.
    init?(_ response: URLResponse?) {
        guard let http = response as? HTTPURLResponse,
            let value = http.value(forHTTPHeaderField: "Retry-After")
        else { return nil }
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            self = .delay(.seconds(min(Int64(text) ?? .max, Self.longest)))
        } else if let date = HTTPDate.date(ofAnyForm: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Whether a response asks for a wait that is bounded here.
    static func isBounded(in response: URLResponse) -> Bool {
        RetryAfter(response) == .delay(.seconds(longest))
    }
}
