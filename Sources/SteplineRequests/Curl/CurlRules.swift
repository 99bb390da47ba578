#if os(Linux)
    /// The settings of all exchanges of a transport.
    struct CurlRules: Sendable {
        /// The `User-Agent` of requests without their own.
        let agent: String
        let tls: CurlTLS
    }
#endif
