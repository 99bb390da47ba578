package import Foundation

/// A `Codable` type that encodes itself to JSON, which takes less time than `JSONEncoder`.
///
/// A durable run stores the results of such types in this form. Their `init(from:)` must read an equal value from it.
package protocol SelfEncodingJSON: Codable {
    /// Returns the value as JSON with sorted keys.
    func jsonBytes() throws -> Data
}
