package import Foundation

/// Files that are packed with gzip, as opposed to bodies that are packed for their transfer.
package enum Gzip {
    /// An error in unpacking.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns whether bytes begin like a gzip file.
    package static func isPacked(_ data: Data) -> Bool { data.starts(with: [0x1F, 0x8B]) }

    /// Returns the content of a gzip file.
    ///
    /// Throws a ``Failure`` if the file is damaged or cut off, if the content is larger than the limit, or without
    /// zlib.
    package static func unpacked(_ data: Data, limit: Int) throws -> Data {
        #if os(Linux)
            guard BodyUnpacking.isPossible else {
                throw Failure(description: "gzip can't be unpacked without zlib")
            }
            let inflater = Inflater(.gzip)
            var content = Data()
            try data.withUnsafeBytes { bytes in
                inflater.input = bytes
                do {
                    while let piece = try inflater.next() {
                        // Before the piece is appended: a small file may unpack to any size.
                        guard content.count + piece.count <= limit else {
                            throw Failure(description: "the unpacked file has more than \(limit) bytes")
                        }
                        content.append(contentsOf: piece)
                    }
                } catch let broken as Inflater.Broken {
                    throw Failure(description: broken.description)
                }
            }
            guard !inflater.isCut else { throw Failure(description: "the packed file ends too early") }
            return content
        #else
            throw Failure(description: "gzip files can be unpacked only on Linux")
        #endif
    }
}
