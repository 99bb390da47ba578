#if os(Linux)
    import CCurl

    extension CurlEasy {
        /// The maximum size of a TLS record.
        private static let record = 16 << 10

        /// Sets the options that don't depend on the request.
        ///
        /// - Parameters:
        ///   - isSecure: Whether the transfer uses TLS.
        ///   - piece: The size of the buffers of a transfer without TLS.
        func setRules(isSecure: Bool, piece: Int) {
            set(CCURL_PROTOCOLS, Int(CCURL_HTTP_AND_HTTPS))
            set(CCURL_REDIR_PROTOCOLS, Int(CCURL_HTTP_AND_HTTPS))
            set(CCURL_DISALLOW_USERNAME_IN_URL, 1)
            // HTTP/0.9 has no head: any bytes of a peer would pass for a body.
            set(CCURL_HTTP09_ALLOWED, 0)
            // A proxy's answer to CONNECT would otherwise be read as the server's head.
            set(CCURL_SUPPRESS_CONNECT_HEADERS, 1)
            // Signal handlers belong to the process, which has other threads.
            set(CCURL_NOSIGNAL, 1)
            set(CCURL_NOPROGRESS, 1)
            // Don't wait for a name resolution when a transfer is cancelled.
            set(CCURL_QUICK_EXIT, 1)
            // Time-outs use the injected clock, so libcurl's own time-out is disabled.
            set(CCURL_CONNECTTIMEOUT_MS, Int(Int32.max))
            // HTTP/2: wait for the host's first connection instead of opening one for each transfer. A host without
            // HTTP/2 gets further connections after its first handshake.
            if isSecure { set(CCURL_PIPEWAIT, 1) }
            // TLS is read and written by records, which have 16 KiB at most. Larger buffers, which libcurl allocates for
            // each transfer over TLS, cost page faults.
            let buffer = isSecure ? Self.record : piece
            set(CCURL_BUFFERSIZE, buffer)
            set(CCURL_UPLOAD_BUFFERSIZE, buffer)
        }
    }
#endif
