#if os(Linux)
    import Foundation
    import FoundationNetworking

    /// The mapping of libcurl's codes to `URLError` codes.
    enum CurlFailure {
        private static let codes: [Int32: URLError.Code] = [
            1: .badServerResponse,  // a version older than HTTP/1.0, or not HTTP
            3: .badURL,
            5: .cannotFindHost, 6: .cannotFindHost,
            7: .cannotConnectToHost,
            8: .badServerResponse,
            16: .badServerResponse,
            18: .networkConnectionLost, 52: .networkConnectionLost, 55: .networkConnectionLost,
            56: .networkConnectionLost, 65: .networkConnectionLost, 92: .networkConnectionLost,
            28: .timedOut,
            35: .secureConnectionFailed, 53: .secureConnectionFailed, 54: .secureConnectionFailed,
            59: .secureConnectionFailed, 66: .secureConnectionFailed, 77: .secureConnectionFailed,
            80: .secureConnectionFailed, 83: .secureConnectionFailed, 90: .secureConnectionFailed,
            91: .secureConnectionFailed,
            58: .clientCertificateRejected,
            60: .secureConnectionFailed,
            61: .cannotDecodeContentData,
            63: .dataLengthExceedsMaximum,
            97: .cannotConnectToHost,
        ]

        /// Returns the error for libcurl's code and its finding about the certificate.
        ///
        /// - Parameters:
        ///   - code: libcurl's code.
        ///   - detail: libcurl's message, which names hosts and ports but no header.
        ///   - verdict: The result of the certificate verification.
        ///   - url: The URL of the request.
        /// - Returns: The error.
        static func error(_ code: Int32, _ detail: String, verdict: Int, _ url: URL?) -> URLError {
            var text = detail.isEmpty ? CurlEasy.text(code) : detail
            // OpenSSL's text for an answer in plain text.
            if code == 35, text.contains("wrong version number") {
                text += "; the server doesn't use TLS here: try http instead of https"
            }
            if code == 60, let reason = certificateCode(verdict, text) { return error(reason, text, url) }
            return error(codes[code] ?? .unknown, text, url)
        }

        /// Returns the problem of a certificate; nil if it is unknown.
        ///
        /// The numbers are OpenSSL's. The texts cover other TLS libraries, and host names, which libcurl compares
        /// itself.
        private static func certificateCode(_ verdict: Int, _ text: String) -> URLError.Code? {
            let text = text.lowercased()
            switch verdict {
            // X509_V_ERR_CERT_NOT_YET_VALID, CERT_HAS_EXPIRED, several unknown issuers, and name mismatches.
            case 9: return .serverCertificateNotYetValid
            case 10: return .serverCertificateHasBadDate
            case 2, 18, 19, 20, 21, 27: return .serverCertificateHasUnknownRoot
            case 62, 64: return .serverCertificateUntrusted
            default: break
            }
            if text.contains("expired") { return .serverCertificateHasBadDate }
            if text.contains("not yet") { return .serverCertificateNotYetValid }
            if text.contains("match") { return .serverCertificateUntrusted }
            if text.contains("signer") || text.contains("issuer") || text.contains("self") {
                return .serverCertificateHasUnknownRoot
            }
            return nil
        }

        static func error(_ code: URLError.Code, _ text: String, _ url: URL?) -> URLError {
            var information: [String: Any] = [NSLocalizedDescriptionKey: text]
            // The same key as Foundation uses, so callers find the URL in either transport's error.
            information[NSURLErrorFailingURLErrorKey] = url
            return URLError(code, userInfo: information)
        }
    }
#endif
