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
            60: .serverCertificateUntrusted,
            61: .cannotDecodeContentData,
            63: .dataLengthExceedsMaximum,
            97: .cannotConnectToHost,
        ]

        /// The error for a code of libcurl's.
        ///
        /// `detail` is what libcurl says of it, which names hosts and ports and never a header.
        static func error(_ code: Int32, _ detail: String, _ url: URL?) -> URLError {
            error(codes[code] ?? .unknown, detail.isEmpty ? CurlEasy.text(code) : detail, url)
        }

        static func error(_ code: URLError.Code, _ text: String, _ url: URL?) -> URLError {
            var information: [String: Any] = [NSLocalizedDescriptionKey: text]
            information[NSURLErrorFailingURLErrorKey] = url
            return URLError(code, userInfo: information)
        }
    }
#endif
