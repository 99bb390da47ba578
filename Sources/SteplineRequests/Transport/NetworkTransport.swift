import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The selection of the transport.
package enum NetworkTransport {
    /// Returns the transport in the options, otherwise that of a caller's session.
    package static func transport(for session: URLSession?, _ options: LoadOptions) -> any Transport {
        options.transport ?? transport(for: session)
    }

    /// Returns the transport of a caller's session, or the platform's transport.
    package static func transport(for session: URLSession?) -> any Transport {
        guard let session else { return standard }
        return URLSessionTransport.transport(for: session)
    }

    /// The platform's transport: libcurl on Linux, URLSession elsewhere.
    ///
    /// `STEPLINE_TRANSPORT=URLSession` selects URLSession on Linux, where a server can then end the process. Without a
    /// usable libcurl, loads fail with an error that names the missing part.
    package static let standard: any Transport = {
        #if os(Linux)
            let asked = ProcessInfo.processInfo.environment["STEPLINE_TRANSPORT"]?.lowercased()
            if asked == "urlsession" { return URLSessionTransport.shared }
            // URLSession isn't a fallback here: a server could end the process through it.
            if let curl = CurlTransport.shared { return curl }
            return FailingTransport { RequestError(.unavailable, CurlTransport.absence, request: $0) }
        #else
            return URLSessionTransport.shared
        #endif
    }()
}
