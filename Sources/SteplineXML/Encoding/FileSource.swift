import Foundation

/// Reads files completely or in pieces.
enum FileSource {
    /// Reads a whole file; throws before reading if it exceeds `limit`.
    static func read(_ file: URL, limit: Int) throws(XMLError) -> Data {
        let source = try FileReader(file)
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

/// Reads a file in pieces of 64 KiB.
final class FileReader {
    private let handle: FileHandle
    private let name: String

    init(_ file: URL) throws(XMLError) {
        name = file.lastPathComponent
        do {
            handle = try FileHandle(forReadingFrom: file)
        } catch {
            throw XMLError(.unreadable, "can't read \(file.lastPathComponent)", underlying: error)
        }
    }

    deinit { try? handle.close() }

    /// Returns the next piece; nil at the end.
    func next() throws(XMLError) -> Data? {
        do {
            guard let data = try handle.read(upToCount: 65_536), !data.isEmpty else { return nil }
            return data
        } catch {
            throw XMLError(.unreadable, "can't read \(name)", underlying: error)
        }
    }
}
