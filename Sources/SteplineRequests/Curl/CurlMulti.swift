#if os(Linux)
    import CCurl

    /// libcurl's handle for many concurrent transfers.
    struct CurlMulti: @unchecked Sendable {  // all methods but `wakeUp` run on the loop's thread
        private let handle: UnsafeMutableRawPointer

        init?() {
            guard let handle = ccurl_multi_make() else { return nil }
            self.handle = handle
        }

        /// Sets the number of connections, busy and idle, that stay open.
        func keep(connections: Int) { ccurl_multi_keep(handle, connections) }

        func free() { ccurl_multi_free(handle) }

        // Adding starts the transfer at the next `perform`.
        func add(_ easy: CurlEasy) -> Bool { ccurl_multi_add(handle, easy.handle) == 0 }

        func remove(_ easy: CurlEasy) { ccurl_multi_remove(handle, easy.handle) }

        /// Performs all work that needs no waiting, and calls the transfers' callbacks.
        func perform() { ccurl_multi_perform(handle) }

        /// Waits for a socket, a timer or a wake-up, for at most a minute.
        func wait() { ccurl_multi_wait(handle, 60_000) }

        /// Ends the current or the next wait; callable from any thread.
        func wakeUp() { ccurl_multi_wake_up(handle) }

        /// Returns the next ended transfer with its code.
        func nextEnded() -> (easy: CurlEasy, code: Int32)? {
            var code: Int32 = 0
            return ccurl_multi_ended(handle, &code).map { (CurlEasy(handle: $0), code) }
        }
    }
#endif
