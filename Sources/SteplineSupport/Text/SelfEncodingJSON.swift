package import Foundation

/// A `Codable` type that encodes itself to JSON, in a tenth of `JSONEncoder`'s time.
///
/// A durable run stores the results of such types by it. `JSONDecoder` must decode the bytes to an equal value.
package protocol SelfEncodingJSON: Codable {
    func jsonBytes() throws -> Data
}
