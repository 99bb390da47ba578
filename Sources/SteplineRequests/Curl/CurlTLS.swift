#if os(Linux)
    import CCurl
    import Foundation

    /// The TLS settings for libcurl.
    struct CurlTLS: Sendable {
        private let options: TLSOptions
        private let file: String?
        private let folder: String?

        /// Creates settings; `environment` names the authorities if the options don't.
        init(_ options: TLSOptions, environment: [String: String]) {
            self.options = options
            func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
            if let place = options.authorities {
                var isFolder: ObjCBool = false
                let path = place.path(percentEncoded: false)
                let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                // A missing path counts as a file: libcurl then reports the error.
                (file, folder) = exists && isFolder.boolValue ? (nil, path) : (path, nil)
            } else if let bundle = named("CURL_CA_BUNDLE") {
                (file, folder) = (bundle, nil)
            } else {
                (file, folder) = (named("SSL_CERT_FILE"), named("SSL_CERT_DIR"))
            }
        }

        /// Sets the options; returns the name of the first unsupported option, or nil.
        func apply(to easy: CurlEasy) -> String? {
            if let file, !easy.set(CCURL_CAINFO, file) { return "a file of authorities" }
            if let folder, !easy.set(CCURL_CAPATH, folder) { return "a folder of authorities" }
            if let version = options.minimumVersion {
                let number = version == .tls13 ? CCURL_SSLVERSION_TLS13 : CCURL_SSLVERSION_TLS12
                guard easy.set(CCURL_SSLVERSION, number) else { return "TLS \(version.rawValue)" }
            }
            return options.clientCertificate.flatMap { apply($0, to: easy) }
        }

        private func apply(_ own: TLSOptions.ClientCertificate, to easy: CurlEasy) -> String? {
            let path = own.certificate.path(percentEncoded: false)
            let isArchive = ["p12", "pfx"].contains(own.certificate.pathExtension.lowercased())
            let isSet =
                easy.set(CCURL_SSLCERT, path) && easy.set(CCURL_SSLCERTTYPE, isArchive ? "P12" : "PEM")
                && (own.key.map { easy.set(CCURL_SSLKEY, $0.path(percentEncoded: false)) } ?? true)
                && (own.password.map { easy.set(CCURL_KEYPASSWD, $0) } ?? true)
            return isSet ? nil : "a client's certificate"
        }
    }
#endif
