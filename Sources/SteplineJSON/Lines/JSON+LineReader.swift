public import Foundation

extension JSON {
    /// Splits chunks of bytes into lines as they arrive and parses each: JSON Lines, or newline-delimited
    /// JSON, by hand.
    ///
    /// Memory holds the line that is under way, and no more. Empty lines are skipped. After an error the
    /// reader goes on with the next line, for a caller who wants to.
    ///
    /// ```swift
    /// var reader = JSON.LineReader()
    /// for chunk in chunks { try reader.read(chunk) { record in … } }
    /// try reader.finish { record in … }
    /// ```
    public struct LineReader: Sendable {
        private let options: Options
        private var pending = Data()
        /// How many of the pending bytes are known to hold no line end.
        private var searched = 0
        /// Lines are counted from 1; this is that of the last record handed over, or of the error thrown.
        public private(set) var line = 0
        private var offset = 0
        private var isStart = true
        /// Whether the line under way was too long, and what is left of it is dropped.
        private var isSkipping = false

        /// Makes a reader; the options hold for each line.
        public init(options: Options = .init()) { self.options = options }

        /// Takes the next bytes in, and hands over each record that is now complete.
        ///
        /// A malformed line is a `JSONError` with its line in the stream, its column, and its offset from the
        /// stream's beginning; one longer than `maximumSize` is `.tooLarge`. What `body` throws ends the
        /// reading; the lines behind it are kept.
        public mutating func read(_ chunk: Data, _ body: (JSON) throws -> Void) throws {
            pending.append(isSkipping ? rest(of: chunk) : chunk)
            try drain(body)
            guard pending.count <= options.maximumSize else { throw tooLong() }
        }

        /// Gives up the line under way.
        private mutating func tooLong() -> JSONError {
            line += 1
            let start = offset
            offset += pending.count
            pending = Data()
            searched = 0
            isSkipping = true
            return JSONError(
                .tooLarge, message: "A line is longer than \(options.maximumSize) bytes", byteOffset: start,
                line: line)
        }

        /// What comes behind the line that was given up.
        private mutating func rest(of chunk: Data) -> Data {
            let skipped = chunk.firstIndex(of: 0x0A).map { $0 - chunk.startIndex + 1 }
            isSkipping = skipped == nil
            offset += skipped ?? chunk.count
            return chunk.dropFirst(skipped ?? chunk.count)
        }

        /// Hands over the last record, which may have no line end.
        public mutating func finish(_ body: (JSON) throws -> Void) throws {
            try drain(body)
            let rest = pending
            pending = Data()
            searched = 0
            if !rest.isEmpty { try record(rest, body) }
        }

        private mutating func drain(_ body: (JSON) throws -> Void) throws {
            var start = 0
            defer {
                if start > 0 { pending = Data(pending.dropFirst(start)) }
            }
            while let end = lineEnd(from: start + searched) {
                let text = pending[(pending.startIndex + start)..<(pending.startIndex + end)]
                start = end + 1
                searched = 0
                try record(text, body)
            }
            searched = pending.count - start
        }

        private func lineEnd(from start: Int) -> Int? {
            pending.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, start < bytes.count,
                    let found = memchr(base + start, 0x0A, bytes.count - start)
                else { return nil }
                return UnsafeRawPointer(found) - base
            }
        }

        private mutating func record(_ text: Data, _ body: (JSON) throws -> Void) throws {
            let start = offset
            offset += text.count + 1
            line += 1
            let isMarked = isStart && text.starts(with: [0xEF, 0xBB, 0xBF])
            isStart = false
            let text = isMarked ? text.dropFirst(3) : text
            guard text.contains(where: { $0 > 0x20 }) else { return }
            let json: JSON
            do {
                json = try JSON(parsing: text, options: options)
            } catch {
                throw JSONError(
                    error.code, message: error.message,
                    byteOffset: start + (isMarked ? 3 : 0) + error.byteOffset,
                    line: line, column: error.column, underlying: error.underlying)
            }
            try body(json)
        }
    }
}
