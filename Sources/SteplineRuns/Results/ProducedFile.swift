package import Foundation
import SteplineSupport

/// A file that a step has made, as it was then.
package struct ProducedFile: Codable, Sendable, Hashable {
    package let path: String
    private let size: Int
    /// Its SHA-256, in hexadecimal digits.
    private let hash: String

    /// A file with these bytes, at that place.
    package init(_ data: Data, at url: URL) {
        path = url.path(percentEncoded: false)
        size = data.count
        hash = Self.hash(of: data)
    }

    /// The file as it lies there.
    init(reading url: URL) throws { self.init(try Data(contentsOf: url, options: .mappedIfSafe), at: url) }

    /// Whether the file is there with the bytes that were written.
    package var isThere: Bool {
        guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            return false
        }
        return data.count == size && Self.hash(of: data) == hash
    }

    private static func hash(of data: Data) -> String {
        SHA256.digits(data.withUnsafeBytes { SHA256.hash($0) })
    }
}
