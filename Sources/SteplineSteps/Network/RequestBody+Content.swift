public import Foundation
public import SteplinePipeline
public import SteplineRequests

extension RequestBody {
    /// An entry of the bag, which the step then declares as an input.
    public static func content(_ key: ContentKey<Data>, type: String? = nil) -> RequestBody {
        RequestBody(.entry(key.name), type: type)
    }

    private var entry: ContentKey<Data>? {
        guard case .entry(let name) = kind else { return nil }
        return name == ContentKey.bodyData.name ? .bodyData : ContentKey(name)
    }

    /// The entries that are read.
    var declared: [AnyContentKey] { entry.map { [$0.erased] } ?? [] }

    /// The bytes of the entry, if it is one.
    func bytes(in content: Content) throws -> Data? {
        try entry.map { try content.value(for: $0) }
    }
}
