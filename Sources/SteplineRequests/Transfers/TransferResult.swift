package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The result of a transfer.
package struct TransferResult<Value: Sendable>: Sendable {
    package let value: Value
    package let received: TransferResponse

    init(value: Value, received: TransferResponse) {
        self.value = value
        self.received = received
    }

    package init(value: Value, response: URLResponse) {
        self.init(value: value, received: TransferResponse(response))
    }

    /// The response as Foundation's object.
    package var response: URLResponse { received.object }
}

/// The progress of a transfer.
package struct TransferProgress: Sendable {
    package let completed: Int64
    /// The total; nil if unknown.
    package let total: Int64?
    /// Whether the values count the request's body.
    package let isUpload: Bool
}

/// A failed status, with the stored part of the body.
package struct RefusedStatus: Error {
    package let error: RequestError
    package let body: Data
}

/// An error of a sink that asks for the request to be repeated without some headers.
package struct TransferRestart: Error {
    package let headers: [String]

    package init(without headers: [String]) { self.headers = headers }
}

/// An error of a sink whose data is shorter than announced.
package struct BodyTooShort: Error {
    let count: Int64
    let total: Int64

    package init(count: Int64, total: Int64) {
        self.count = count
        self.total = total
    }
}
