package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// What a transfer has brought.
package struct TransferResult<Value: Sendable>: Sendable {
    package let value: Value
    package let response: URLResponse

    package init(value: Value, response: URLResponse) {
        self.value = value
        self.response = response
    }
}

/// How far a transfer is.
package struct TransferProgress: Sendable {
    package let completed: Int64
    /// Nil if unknown.
    package let total: Int64?
    /// Whether it is the request's body that is counted.
    package let isUpload: Bool
}

/// A status that is no success, with the whole body as far as it was kept.
package struct RefusedStatus: Error {
    package let error: RequestError
    package let body: Data
}

/// A sink's wish to have the request sent once more, without some of its headers.
package struct TransferRestart: Error {
    package let headers: [String]

    package init(without headers: [String]) { self.headers = headers }
}

/// A sink's word that all that has come is less than what was promised.
package struct BodyTooShort: Error {
    let count: Int64
    let total: Int64

    package init(count: Int64, total: Int64) {
        self.count = count
        self.total = total
    }
}
