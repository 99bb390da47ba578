#if os(Linux)
    import Foundation
    import FoundationNetworking

    /// What libcurl's codes mean in Foundation's words.
    enum CurlFailure {
        private static let codes: [Int32: URLError.Code] = [
            1: .badServerResponse,  // something older than HTTP/1.0, or no HTTP at all
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

        /// The error for a code of libcurl's, and for what was found wrong with the peer's certificate.
        ///
        /// `detail` is what libcurl says of it, which names hosts and ports and never a header.
        static func error(_ code: Int32, _ detail: String, verdict: Int, _ url: URL?) -> URLError {
            let text = detail.isEmpty ? CurlEasy.text(code) : detail
            if code == 60, let reason = certificateCode(verdict, text) { return error(reason, text, url) }
            return error(codes[code] ?? .unknown, text, url)
        }

        /// What is wrong with a certificate; nil if that can't be told apart.
        ///
        /// The numbers are OpenSSL's; the words are for builds on other libraries, and for names, which libcurl compares.
        private static func certificateCode(_ verdict: Int, _ text: String) -> URLError.Code? {
            let text = text.lowercased()
            switch verdict {
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
            information[NSURLErrorFailingURLErrorKey] = url
            return URLError(code, userInfo: information)
        }
    }
#endif
