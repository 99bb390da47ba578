public import Foundation
public import SteplinePipeline
public import SteplineRequests

extension RequestBody {
    /// An entry of the bag, which the step then declares as an input.
    ///
    /// Where there is no bag, as in `URLPages` and with a manager's own requests, it is a `RequestError` `.body`.
    public static func content(_ key: ContentKey<Data>, type: String? = nil) -> RequestBody {
        RequestBody(.entry(key.name), type: type)
    }

    private var entry: ContentKey<Data>? {
        guard case .entry(let name) = kind else { return nil }
        return name == ContentKey.bodyData.name ? .bodyData : ContentKey(name)
    }

    /// The entries that are read.
    var declared: [AnyContentKey] { entry.map { [$0.erased] } ?? [] }

    /// The same with the bytes of the entry, if it is one; throws if that isn't there.
    func taken(from content: Content) throws -> RequestBody {
        try entry.map { RequestBody.data(try content.value(for: $0), type: type) } ?? self
    }
}
