#if os(Linux)
    import CCurl
    import Foundation

    /// The libcurl that Foundation has loaded into the process, or the system's.
    struct CurlLibrary: Sendable {
        /// The library, loaded at the first use; `STEPLINE_LIBCURL` names another file.
        static let found = Result { () throws(Missing) in
            try CurlLibrary(ProcessInfo.processInfo.environment["STEPLINE_LIBCURL"])
        }

        /// The reason why no usable libcurl was found.
        struct Missing: Error {
            let description: String
        }

        let version: String

        private init(_ path: String?) throws(Missing) {
            let requirement = "libcurl \(CCURL_OLDEST >> 16).\(CCURL_OLDEST >> 8 & 255) or later is needed"
            let state = ccurl_load(path.flatMap { $0.isEmpty ? nil : $0 })
            let place = String(cString: ccurl_place())
            version = String(cString: ccurl_version())
            switch state {
            case CCURL_FOUND: break
            case CCURL_TOO_OLD:
                throw Missing(description: "\(requirement); \(place) is of version \(version)")
            case CCURL_INCOMPLETE:
                let name = String(cString: ccurl_missing())
                throw Missing(description: "\(requirement); \(place) has no \(name)")
            default:
                let lack = path.map { "there is none at \($0)" } ?? "there is no libcurl.so.4"
                throw Missing(description: "\(requirement); \(lack) (Debian: apt-get install libcurl4)")
            }
            // Global initialization happens once per process, before any handle is created.
            guard ccurl_set_up() != 0 else {
                throw Missing(description: "\(requirement); \(place) can't be set up")
            }
        }
    }
#endif
