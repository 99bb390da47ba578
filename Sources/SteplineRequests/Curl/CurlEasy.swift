#if os(Linux)
    import CCurl

    /// libcurl's handle for one transfer; used only on the loop's thread.
    struct CurlEasy: Hashable {
        let handle: UnsafeMutableRawPointer

        init(handle: UnsafeMutableRawPointer) { self.handle = handle }

        init?() {
            guard let handle = ccurl_easy_make() else { return nil }
            self.handle = handle
        }

        func free() { ccurl_easy_free(handle) }

        /// Resumes a paused transfer; its callbacks may run inside this call.
        func resume() { ccurl_go_on(handle) }

        /// The result of the certificate verification as OpenSSL's number; 0 for no error.
        var verifyResult: Int { ccurl_verify_result(handle) }

        /// Returns libcurl's text for a code.
        static func text(_ code: Int32) -> String { ccurl_text(code).map { String(cString: $0) } ?? "" }

        // An unknown option of an older libcurl is ignored; callers that need the option check the result.

        @discardableResult
        func set(_ option: ccurl_option, _ value: Int) -> Bool {
            ccurl_set_long(handle, option, value) == 0
        }

        @discardableResult
        func set(_ option: ccurl_option, _ text: String) -> Bool {
            ccurl_set_pointer(handle, option, text) == 0
        }

        func set(_ option: ccurl_option, _ pointer: UnsafeRawPointer) {
            ccurl_set_pointer(handle, option, pointer)
        }

        func set(_ option: ccurl_option, offset: Int64) {
            ccurl_set_offset(handle, option, offset)
        }

        func set(_ option: ccurl_option, _ callback: @escaping ccurl_bytes_callback) {
            ccurl_set_bytes_callback(handle, option, callback)
        }

        func set(begin callback: @escaping ccurl_begin_callback) {
            ccurl_set_begin_callback(handle, callback)
        }

        func set(seek callback: @escaping ccurl_seek_callback) {
            ccurl_set_seek_callback(handle, callback)
        }
    }
#endif
