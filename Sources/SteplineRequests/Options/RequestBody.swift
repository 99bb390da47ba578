public import Foundation

/// The body of a request.
///
/// The length and type headers are set. A repeated request sends the body again from its start.
public struct RequestBody: Sendable {
    package enum Kind: Sendable {
        case none
        case data(Data)
        case file(URL)
        case encoded(@Sendable () throws -> Data, type: String)
        /// A content entry, by its name.
        case entry(String)
    }

    package let kind: Kind

    /// The media type, set as `Content-Type` unless the request has one.
    package let type: String?

    package init(_ kind: Kind, type: String? = nil) {
        self.kind = kind
        self.type = type
    }

    /// Leaves the request's own body.
    public static let none = RequestBody(.none)

    /// Sends the given bytes.
    public static func data(_ data: Data, type: String? = nil) -> RequestBody {
        RequestBody(.data(data), type: type)
    }

    /// Sends the bytes of a file, read during the transfer.
    ///
    /// A file that can't be read fails the load before the connection.
    public static func file(_ file: URL, type: String? = nil) -> RequestBody {
        RequestBody(.file(file), type: type)
    }

    /// Sends a value as JSON.
    public static func json(_ value: any Encodable & Sendable) -> RequestBody {
        let encode = { @Sendable in try JSONEncoder().encode(value) }
        return RequestBody(.encoded(encode, type: "application/json"), type: "application/json")
    }

    package var isNone: Bool {
        if case .none = kind { true } else { false }
    }
}
