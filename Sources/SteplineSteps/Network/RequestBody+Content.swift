public import Foundation
public import SteplinePipeline
public import SteplineRequests

extension RequestBody {
    /// Returns a body from an entry of the content, which the step declares as an input.
    ///
    /// Without a content, as in `URLPages` and in a manager's own requests, it throws a `RequestError` `.body`.
    public static func content(_ key: ContentKey<Data>, type: String? = nil) -> RequestBody {
        RequestBody(.entry(key.name), type: type)
    }

    private var entry: ContentKey<Data>? {
        guard case .entry(let name) = kind else { return nil }
        return name == ContentKey.bodyData.name ? .bodyData : ContentKey(name)
    }

    /// The entries that the body reads.
    var declared: [AnyContentKey] { entry.map { [$0.erased] } ?? [] }

    /// Returns the body with an entry replaced by its bytes; throws if the entry is missing.
    func taken(from content: Content) throws -> RequestBody {
        try entry.map { RequestBody.data(try content.value(for: $0), type: type) } ?? self
    }
}
