import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// A response, whose `URLResponse` is created at its first use.
///
/// Foundation's initializer compares and capitalizes every name. That takes as long as the rest of the work for a small
/// response, and most loads read only the status and the length.
package final class TransferResponse: Sendable {
    private enum Source {
        case head(HeadFields, URL)
        case object(URLResponse)
    }

    private let source: Source
    private let created = Locked<URLResponse?>(nil)

    /// Creates the response of a transport that reports `URLResponse` objects.
    package init(_ response: URLResponse) { source = .object(response) }

    init(_ fields: HeadFields, from url: URL) { source = .head(fields, url) }

    /// The response as Foundation's object; every call returns the same object.
    package var object: URLResponse {
        switch source {
        case .object(let object): object
        case .head(let fields, let url):
            created.withLock { created in
                let object =
                    created
                    ?? HTTPURLResponse(
                        url: url, statusCode: fields.status, httpVersion: fields.version,
                        headerFields: fields.values)
                    ?? URLResponse(
                        url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
                created = object
                return object
            }
        }
    }

    private var http: HTTPURLResponse? { object as? HTTPURLResponse }

    /// The status; nil for a response that isn't HTTP.
    package var status: Int? {
        if case .head(let fields, _) = source { fields.status } else { http?.statusCode }
    }

    /// Returns the value of a header; nil without such a header.
    ///
    /// - Parameter name: The name in lowercase ASCII letters.
    /// - Returns: The value; values of the same name are joined with commas.
    package func value(of name: StaticString) -> String? {
        if case .head(let fields, _) = source { return fields.value(of: name) }
        return http?.value(forHTTPHeaderField: name.description)
    }

    /// Returns the values of all headers with a name, in lowercase ASCII letters.
    ///
    /// The values in a `URLResponse` are joined with commas already.
    package func allValues(of name: StaticString) -> [String] {
        if case .head(let fields, _) = source { return fields.allValues(of: name) }
        return value(of: name).map { [$0] } ?? []
    }

    /// The media type of the body in lowercase letters, without parameters; nil if unknown.
    var mediaType: String? {
        // Without Foundation's object, which takes longer to make than all else that a small response needs here.
        guard case .head(let fields, _) = source else { return object.mimeType?.lowercased() }
        return fields.value(of: "content-type")?.mediaType
    }

    /// The name of the body's charset; nil if unknown.
    package var charset: String? {
        guard case .head(let fields, _) = source else { return object.textEncodingName }
        guard let type = fields.value(of: "content-type") else { return nil }
        // A quoted value may contain a semicolon, and is rare.
        if type.utf8.contains(UInt8(ascii: "\"")) { return object.textEncodingName }
        for parameter in type.split(separator: ";", omittingEmptySubsequences: false).dropFirst() {
            let halves = parameter.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if halves.count == 2, halves[0].lowercased() == "charset" { return halves[1] }
        }
        return nil
    }

    /// The announced length of the body; nil if unknown.
    var expectedLength: Int64? {
        if case .head(let fields, _) = source {
            return fields.value(of: "content-length").flatMap { Int64($0) }
        }
        let length = object.expectedContentLength
        return length >= 0 ? Int64(length) : nil
    }
}

extension String {
    /// The media type in this value of a `Content-Type` header, in lowercase letters and without parameters.
    var mediaType: String {
        self[..<(utf8.firstIndex(of: UInt8(ascii: ";")) ?? endIndex)].withoutOuterBlanks.lowercased()
    }
}
