public import Foundation

/// How a server's certificate is checked, and what is shown to it.
///
/// They hold for the library's own transport, and not over a session of one's own. Unless `authorities` says otherwise,
/// the environment's `CURL_CA_BUNDLE`, or else `SSL_CERT_DIR` and `SSL_CERT_FILE`, name the authorities that are
/// trusted, as with curl; else they are the system's.
public struct TLSOptions: Sendable, Hashable {
    /// Versions of TLS.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// TLS 1.2.
        case tls12 = "1.2"
        /// TLS 1.3.
        case tls13 = "1.3"
    }

    /// A certificate that the server asks for, and its key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The file of the certificate, in PEM; in PKCS #12 if its name ends with `.p12` or `.pfx`.
        public var certificate: URL
        /// The file of the key in PEM; nil if it is in the certificate's file.
        public var key: URL?
        /// What the key is encrypted with.
        public var password: String?

        /// Names a certificate.
        public init(_ certificate: URL, key: URL? = nil, password: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }
    }

    /// The certificates that are trusted in place of the system's: a file in PEM, or a folder as OpenSSL's `c_rehash`
    /// makes it.
    public var authorities: URL?

    /// What is shown to a server that asks who is there.
    public var clientCertificate: ClientCertificate?

    /// The oldest version that is spoken; nil for that of the system's TLS library.
    public var minimumVersion: Version?

    /// Makes options for the system's authorities and versions.
    public init(
        authorities: URL? = nil, clientCertificate: ClientCertificate? = nil, minimumVersion: Version? = nil
    ) {
        self.authorities = authorities
        self.clientCertificate = clientCertificate
        self.minimumVersion = minimumVersion
    }

    /// Whether nothing is asked for.
    package var isDefault: Bool { self == TLSOptions() }
}
