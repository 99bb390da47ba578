public import SteplinePipeline

/// The source of a loaded response.
public enum LoadSource: String, Sendable, Codable {
    /// The network.
    case network
    /// A `ResponseStore`: the server confirmed the stored response.
    case store
    /// An `HTTPCache`: the response is fresh, was confirmed, or replaces an error.
    case cache
}

extension ContentKey where Value == LoadSource {
    /// The source of the loaded response; present only with `LoadOptions.revalidation` or `LoadOptions.cache`.
    public static var loadSource: Self { .init("loadSource") }
}
