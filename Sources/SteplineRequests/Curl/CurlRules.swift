#if os(Linux)
    /// What holds for all exchanges of a transport.
    struct CurlRules: Sendable {
        /// The `User-Agent` of requests that have none of their own.
        let agent: String
        let tls: CurlTLS
    }
#endif
