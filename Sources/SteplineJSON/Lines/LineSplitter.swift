import Foundation

/// Splits chunks of bytes into lines at line feeds, and skips blank lines.
struct LineSplitter {
    /// A complete line.
    struct Line {
        /// The range of the line in the splitter's buffer.
        let range: Range<Int>
        /// The offset of the line in the stream, after a byte order mark.
        let offset: Int
    }

    private let maximumSize: Int
    private var buffer: [UInt8] = []
    /// The offset of the next line in the buffer, and the offset up to which it contains no line feed.
    private var start = 0
    private var searched = 0
    /// The offset of the next line in the stream.
    private var offset = 0
    private var isAtEnd = false
    /// The number of lines consumed.
    private(set) var line = 0

    init(maximumSize: Int) { self.maximumSize = max(0, maximumSize) }

    mutating func append(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        isAtEnd = false
        // Compact only when at least half is consumed, so that each byte moves at most once on average.
        if start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: chunk)
    }

    /// Marks the end of the stream: the last line needs no line feed.
    mutating func end() { isAtEnd = true }

    /// Returns the next complete line that isn't blank; nil if more bytes are needed.
    ///
    /// - Throws: `JSONError` with the code `.tooLarge` for a line that is too long.
    mutating func next() throws(JSONError) -> Line? {
        while true {
            skipLineFeeds()
            let from = max(searched, start)
            let found = lineFeed(from: from)
            // The last line may end without a line feed.
            guard let end = found ?? (isAtEnd && start < buffer.count ? buffer.count : nil) else {
                searched = buffer.count
                if buffer.count - start > maximumSize { throw tooLong() }
                return nil
            }
            if end - start > maximumSize { throw tooLong() }
            // Only the first line of the stream can have a byte order mark.
            let isMarked = offset == 0 && hasMark(end)
            let line = Line(range: start + (isMarked ? 3 : 0)..<end, offset: offset + (isMarked ? 3 : 0))
            pass(to: end)
            if !isBlank(line.range) { return line }
        }
    }

    func withBytes<R>(of line: Line, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line.range])) }
    }

    /// Consumes the line that ends at an offset in the buffer.
    private mutating func pass(to end: Int) {
        offset += end + 1 - start
        start = min(end + 1, buffer.count)
        searched = start
        line += 1
    }

    private mutating func skipLineFeeds() {
        let count = buffer.withUnsafeBytes { bytes in
            var index = start
            while index < bytes.count, bytes[index] == 0x0A {
                if index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) == 0x0A0A_0A0A_0A0A_0A0A
                {
                    index += 8
                } else {
                    index += 1
                }
            }
            return index - start
        }
        start += count
        offset += count
        line += count
    }

    private func lineFeed(from index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, index < bytes.count,
                let found = memchr(base + index, 0x0A, bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private func hasMark(_ end: Int) -> Bool {
        end - start >= 3 && buffer[start] == 0xEF && buffer[start + 1] == 0xBB && buffer[start + 2] == 0xBF
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        buffer[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// Counts the line that is too long; no further line is read.
    private mutating func tooLong() -> JSONError {
        line += 1
        return JSONError(
            .tooLarge, message: "A line is longer than \(maximumSize) bytes", byteOffset: offset, line: line)
    }
}
