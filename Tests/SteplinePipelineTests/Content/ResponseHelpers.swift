import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response as a load leaves it in the bag: of HTTP if it has a status.
func makeResponse(_ url: URL, status: Int?) -> URLResponse? {
    guard let status else {
        return URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
}
