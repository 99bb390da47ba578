import Foundation
import SteplineRequests

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
    func response(from url: URL?, path: String) -> HTTPURLResponse? {
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
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }
}
