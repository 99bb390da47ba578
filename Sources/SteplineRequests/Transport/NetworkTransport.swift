import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Which transport is used.
package enum NetworkTransport {
    /// The transport that the options name, else that of a caller's session.
    package static func transport(for session: URLSession?, _ options: LoadOptions) -> any Transport {
        options.transport ?? transport(for: session)
    }

    /// The transport of a caller's session; without one the transport of the platform.
    package static func transport(for session: URLSession?) -> any Transport {
        guard let session else { return standard }
        return URLSessionTransport.transport(for: session)
    }

    /// The transport of the platform: libcurl itself on Linux, and URLSession elsewhere.
    ///
    /// `STEPLINE_TRANSPORT=URLSession` in the environment asks for URLSession on Linux, too, where a server can end the
    /// process by it. Without a libcurl that can be used, loads fail and say what is missing.
    package static let standard: any Transport = {
        #if os(Linux)
            let asked = ProcessInfo.processInfo.environment["STEPLINE_TRANSPORT"]?.lowercased()
            if asked == "urlsession" { return URLSessionTransport.shared }
            if let curl = CurlTransport.shared { return curl }
            return FailingTransport(code: .unavailable, reason: CurlTransport.absence)
        #else
            return URLSessionTransport.shared
        #endif
    }()
}
