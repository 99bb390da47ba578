package import Foundation
import SteplineSupport

/// A file produced by a step, with size and hash at that time.
package struct ProducedFile: Codable, Sendable, Hashable {
    package let path: String
    private let size: Int
    /// The SHA-256 in hexadecimal digits.
    private let hash: String

    /// Creates the record of a file with the given bytes.
    package init(_ data: Data, at url: URL) {
        path = url.path(percentEncoded: false)
        size = data.count
        hash = Self.hash(of: data)
    }

    /// Creates the record of an existing file.
    init(reading url: URL) throws { self.init(try Data(contentsOf: url, options: .mappedIfSafe), at: url) }

    /// Whether the file exists with unchanged bytes; reads the whole file.
    package var isThere: Bool {
        // Mapped if possible, so that a large file needn't fit into memory.
        guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            return false
        }
        // Another size saves the hash.
        return data.count == size && Self.hash(of: data) == hash
    }

    private static func hash(of data: Data) -> String {
        SHA256.digits(data.withUnsafeBytes { SHA256.hash($0) })
    }
}
