import Foundation
import SteplineSupport

/// Reads files completely.
enum FileSource {
    /// Reads a whole file; throws before reading if it exceeds `limit`.
    static func read(_ file: URL, limit: Int) throws(XMLError) -> Data {
        var source = ChunkReader<XMLError>(.file(file))
        var data = Data()
        while let piece = try source.next() {
            data.append(piece)
            guard data.count <= limit else {
                throw XMLError(
                    .limit, "\(file.lastPathComponent) is larger than \(limit) bytes", limit: .size)
            }
        }
        return data
    }
}

extension ChunkReader<XMLError> {
    init(_ source: ChunkSource) {
        self.init(source) { file, error in
            XMLError(.unreadable, "can't read \(file.lastPathComponent)", underlying: error)
        }
    }
}
