public import SteplinePipeline

/// Where what was loaded has come from.
public enum LoadSource: String, Sendable, Codable {
    /// From the network.
    case network
    /// From a `ResponseStore`: the server said that nothing has changed.
    case store
}

extension ContentKey where Value == LoadSource {
    /// Where what was loaded has come from; there only if the load had `LoadOptions.revalidation`.
    public static var loadSource: Self { .init("loadSource") }
}
