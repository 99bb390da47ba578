public import Foundation

/// What is sent as the body of a request.
///
/// Length and type headers are set, and it is sent again from its start when a request is repeated.
public struct RequestBody: Sendable {
    package enum Kind: Sendable {
        case none
        case data(Data)
        case file(URL)
        case encoded(@Sendable () throws -> Data, type: String)
        /// An entry of the bag, by its name.
        case entry(String)
    }

    package let kind: Kind

    /// The media type, set as `Content-Type` unless the request has one.
    package let type: String?

    package init(_ kind: Kind, type: String? = nil) {
        self.kind = kind
        self.type = type
    }

    /// No body but the request's own.
    public static let none = RequestBody(.none)

    /// These bytes.
    public static func data(_ data: Data, type: String? = nil) -> RequestBody {
        RequestBody(.data(data), type: type)
    }

    /// The bytes of a file, read while they are sent.
    ///
    /// A file that can't be read is found before connecting.
    public static func file(_ file: URL, type: String? = nil) -> RequestBody {
        RequestBody(.file(file), type: type)
    }

    /// A value as JSON.
    public static func json(_ value: any Encodable & Sendable) -> RequestBody {
        let encode = { @Sendable in try JSONEncoder().encode(value) }
        return RequestBody(.encoded(encode, type: "application/json"), type: "application/json")
    }

    package var isNone: Bool {
        if case .none = kind { true } else { false }
    }
}
