public import Foundation

/// The settings of TLS: the verification of the server's certificate, and the client's certificate.
///
/// They apply to the library's own transport, not to your own session. The trusted authorities are those in
/// `authorities`. Otherwise the environment names them with `CURL_CA_BUNDLE`, or with `SSL_CERT_DIR` and
/// `SSL_CERT_FILE`, as for curl. Otherwise the system's authorities are trusted.
public struct TLSOptions: Sendable, Hashable {
    /// The versions of TLS.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// TLS 1.2.
        case tls12 = "1.2"
        /// TLS 1.3.
        case tls13 = "1.3"
    }

    /// A client certificate and its key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The file of the certificate in PEM, or in PKCS #12 if its name ends with `.p12` or `.pfx`.
        public var certificate: URL
        /// The file of the key in PEM; nil if the certificate's file contains the key.
        public var key: URL?
        /// The password of the key.
        public var password: String?

        /// Creates a reference to a certificate.
        ///
        /// - Parameters:
        ///   - certificate: The file of the certificate.
        ///   - key: The file of the key; nil if the certificate's file contains the key.
        ///   - password: The password of the key.
        public init(_ certificate: URL, key: URL? = nil, password: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }
    }

    /// The trusted authorities, which replace the system's: a file in PEM, or a folder in the form of OpenSSL's
    /// `c_rehash`.
    public var authorities: URL?

    /// The certificate that is sent if the server requests one.
    public var clientCertificate: ClientCertificate?

    /// The oldest accepted version; nil for the default of the system's TLS library.
    public var minimumVersion: Version?

    /// Creates settings; without arguments they are the system's.
    ///
    /// - Parameters:
    ///   - authorities: The trusted authorities; nil for the default ones.
    ///   - clientCertificate: The certificate that is sent if the server requests one.
    ///   - minimumVersion: The oldest accepted version.
    public init(
        authorities: URL? = nil, clientCertificate: ClientCertificate? = nil, minimumVersion: Version? = nil
    ) {
        self.authorities = authorities
        self.clientCertificate = clientCertificate
        self.minimumVersion = minimumVersion
    }

    /// Whether all settings have their defaults.
    package var isDefault: Bool { self == TLSOptions() }
}
