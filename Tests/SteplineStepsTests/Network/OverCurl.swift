import SteplineRequests
import Testing

/// Whether loads without a session go by libcurl: what it does with addresses, heads, lines and TLS is nothing that
/// URLSession does.
let isOverCurl: Bool = {
    #if os(Linux)
        NetworkTransport.standard is CurlTransport
    #else
        false
    #endif
}()

extension Trait where Self == ConditionTrait {
    /// Leaves a test out over URLSession.
    static var overCurl: ConditionTrait { .enabled(if: isOverCurl, "only libcurl does this") }
}
