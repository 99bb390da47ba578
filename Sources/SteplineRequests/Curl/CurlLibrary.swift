#if os(Linux)
    import CCurl
    import Foundation
    import FoundationNetworking

    /// The libcurl that Foundation has brought into the process.
    struct CurlLibrary: Sendable {
        /// Nil where none is to be found that can be used.
        static let shared = CurlLibrary()

        let version: String

        private init?() {
            guard ccurl_load() != 0 else { return nil }
            // Where it can't be set up by two at once, Foundation is first: making a session sets it up.
            if ccurl_is_threadsafe() == 0 { _ = URLSession.shared.configuration }
            guard ccurl_set_up() != 0 else { return nil }
            version = String(cString: ccurl_version())
        }
    }
#endif
