import Foundation
import SteplineRequests
import SteplineTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransferModel.Asked {
    init(_ request: URLRequest, _ body: TransportBody) {
        let hasBody = if case .none = body { false } else { true }
        let hasType = request.value(forHTTPHeaderField: "Content-Type") != nil
        self.init(
            method: request.httpMethod ?? "GET", scheme: request.url?.scheme ?? "",
            host: request.url?.host() ?? "", path: request.url?.path() ?? "", hasBody: hasBody && hasType,
            isSigned: request.value(forHTTPHeaderField: "Authorization") != nil,
            wantsPart: request.value(forHTTPHeaderField: "Range") != nil)
    }
}

extension TransferModel.Answer {
    /// The same as Foundation has it, from a URL; `path` is where it leads if it is a redirect.
    func response(from url: URL?, path: String, _ watch: LockWatch) -> HTTPURLResponse? {
        guard let url else { return nil }
        var headers = ["Content-Type": "text/plain"], status = 200
        switch self {
        case .interim: status = 103
        case .text(let length): headers["Content-Length"] = length.map(String.init)
        case .page: headers["Content-Type"] = "text/html"
        case .refused(let length):
            status = 404
            headers["Content-Length"] = length.map(String.init)
        case .part: status = 206
        case .nothingMore: status = 416
        case .moved(let code, let destination):
            status = code
            switch destination {
            case .sameHost: headers["Location"] = path
            case .otherHost:
                headers["Location"] = "//\(url.host() == "a.test" ? "b.test" : "a.test")\(path)"
            case .insecure: headers["Location"] = "http://a.test\(path)"
            case .file: headers["Location"] = "file:///etc/passwd"
            case .unreadable: headers["Location"] = " "
            case .nowhere: break
            }
        }
        return WatchedResponse(url, status, headers, watch)
    }
}

/// A response as a transport of a user's may make it: something of that user's goes with it.
private final class WatchedResponse: HTTPURLResponse, @unchecked Sendable {
    // Set once, before anybody has the response.
    private let thing: LockWatch.Thing?

    init?(_ url: URL, _ status: Int, _ headers: [String: String], _ watch: LockWatch) {
        thing = watch.thing()
        super.init(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }

    required init?(coder: NSCoder) {
        thing = nil
        super.init(coder: coder)
    }
}
