#if os(Linux)
    import CCurl

    /// libcurl's handle for many transfers at once.
    struct CurlMulti: @unchecked Sendable {  // all but `wakeUp` is called on the loop's thread alone
        private let handle: UnsafeMutableRawPointer

        init?() {
            guard let handle = ccurl_multi_make() else { return nil }
            self.handle = handle
        }

        func free() { ccurl_multi_free(handle) }

        func add(_ easy: CurlEasy) -> Bool { ccurl_multi_add(handle, easy.handle) == 0 }

        func remove(_ easy: CurlEasy) { ccurl_multi_remove(handle, easy.handle) }

        /// Does what can be done without waiting, and calls the transfers' callbacks.
        func perform() { ccurl_multi_perform(handle) }

        /// Waits until a socket or a timer needs something, or until it is woken up.
        func wait() { ccurl_multi_wait(handle, 60_000) }

        /// Ends a wait, or the next one; from any thread.
        func wakeUp() { ccurl_multi_wake_up(handle) }

        /// The next transfer that has ended, with its code.
        func nextEnded() -> (easy: CurlEasy, code: Int32)? {
            var code: Int32 = 0
            return ccurl_multi_ended(handle, &code).map { (CurlEasy(handle: $0), code) }
        }
    }
#endif
