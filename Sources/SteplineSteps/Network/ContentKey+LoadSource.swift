public import SteplinePipeline

/// Where what was loaded has come from.
public enum LoadSource: String, Sendable, Codable {
    /// From the network.
    case network
    /// From a `ResponseStore`: the server said that nothing has changed.
    case store
    /// From an `HTTPCache`: it is fresh, the server said that nothing has changed, or it stands in for an error.
    case cache
}

extension ContentKey where Value == LoadSource {
    /// Where what was loaded has come from; there only if the load had `LoadOptions.revalidation`
    /// or `LoadOptions.cache`.
    public static var loadSource: Self { .init("loadSource") }
}
