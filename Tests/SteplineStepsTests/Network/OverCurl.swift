import Foundation
import Testing

/// Whether the default transport is libcurl: what it does with addresses, heads, lines and TLS is nothing that URLSession does.
let isOverCurl: Bool = {
    #if os(Linux)
        ProcessInfo.processInfo.environment["STEPLINE_TRANSPORT"]?.lowercased() != "urlsession"
    #else
        false
    #endif
}()

extension Trait where Self == ConditionTrait {
    /// Leaves a test out over URLSession.
    static var overCurl: ConditionTrait { .enabled(if: isOverCurl, "only libcurl does this") }
}
