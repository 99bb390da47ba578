import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of `data:` URLs, which contain their data (RFC 2397).
struct DataTransport: Transport {
    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let isStopped = Locked(false)
        Workers.shared.perform { _ in
            guard !isStopped.withLock({ $0 }) else { return }
            guard let url = request.url, let content = Self.content(of: url) else {
                return receive(.ended(URLError(.cannotDecodeRawData)))
            }
            let response = URLResponse(
                url: url, mimeType: content.type, expectedContentLength: content.bytes.count,
                textEncodingName: content.charset)
            receive(.response(response))
            if !content.bytes.isEmpty { receive(.bytes(content.bytes)) }
            receive(.ended(nil))
        }
        return Subscription { isStopped.withLock { $0 = true } }
    }

    /// Parses a URL; returns its bytes, type and charset, or nil for an invalid URL.
    private static func content(of url: URL) -> (bytes: Data, type: String, charset: String?)? {
        let text = url.absoluteString
        guard let colon = text.firstIndex(of: ":"), let comma = text[colon...].firstIndex(of: ",") else {
            return nil
        }
        var words = text[text.index(after: colon)..<comma].split(
            separator: ";", omittingEmptySubsequences: false
        ).map(String.init)
        let isBase64 = words.count > 1 && words.last?.lowercased() == "base64"
        if isBase64 { words.removeLast() }
        let charset = words.dropFirst().first { $0.lowercased().hasPrefix("charset=") }.map {
            String($0.dropFirst("charset=".count))
        }
        let own = words.first ?? ""
        let type = own.isEmpty ? "text/plain" : own.lowercased()
        let bytes = unescaped(text[text.index(after: comma)...])
        guard isBase64 else { return (bytes, type, charset ?? (own.isEmpty ? "US-ASCII" : nil)) }
        // Like browsers: ignore whitespace and add missing padding.
        var digits = bytes.filter { !" \t\n\r\u{c}".utf8.contains($0) }
        while digits.count % 4 != 0, digits.count % 4 != 1 { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: digits).map { ($0, type, charset) }
    }

    /// Decodes percent-encoded bytes.
    private static func unescaped(_ text: Substring) -> Data {
        var bytes = Data()
        // The fragment isn't part of the data.
        var rest = Array(text.utf8.prefix { $0 != UInt8(ascii: "#") })[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
