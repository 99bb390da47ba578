import Foundation

/// A padded copy of a text in UTF-8, without byte order mark.
struct Source {
    let start: UnsafeMutablePointer<UInt8>
    let count: Int

    /// Copies the bytes, and transcodes them to UTF-8 if necessary.
    ///
    /// The owner of the source must free `start`.
    init(_ bytes: UnsafeRawBufferPointer, encoding: TextEncoding, limit: Int) throws(JSONError) {
        let body = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(encoding.markLength))
        if encoding.unit == 1 {
            start = try Source.allocate(body.count)
            count = body.count
            if let from = body.baseAddress { memcpy(start, from, count) }
        } else {
            let utf8 = try encoding.transcode(body)
            guard utf8.count <= limit else {
                throw JSONError(
                    .tooLarge, message: "The JSON text has \(utf8.count) bytes as UTF-8, more than \(limit)")
            }
            start = try Source.allocate(utf8.count)
            count = utf8.count
            utf8.withUnsafeBytes { if let from = $0.baseAddress { _ = memcpy(start, from, $0.count) } }
        }
        memset(start + count, 0, Tape.padding)
    }

    private static func allocate(_ count: Int) throws(JSONError) -> UnsafeMutablePointer<UInt8> {
        guard let block = malloc(count + Tape.padding) else {
            throw JSONError(.outOfMemory, message: JSONError.Code.outOfMemory.message)
        }
        return block.assumingMemoryBound(to: UInt8.self)
    }
}
