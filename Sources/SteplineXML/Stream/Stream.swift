public import Foundation
import SteplineSupport

extension XML {
    /// The records of a document of any size, one at a time, in constant memory.
    ///
    /// Input is read on demand: iterate with `for try await`, or call ``forEach(_:)``. Each iteration starts at the
    /// beginning, if the source can be read twice. Leaving an iteration stops reading. A cancelled task gets a
    /// `CancellationError` at the next record. Truncated input throws an ``XMLError`` with the number of records
    /// before.
    ///
    /// With ``XML/Options/isLenient`` truncated input ends the stream without an error, and the incomplete record is
    /// dropped. A stream doesn't report the problems that a lenient parse repairs.
    ///
    /// A record keeps the records alive that were completed by the same piece of input.
    public struct Stream: Sendable {
        let source: ChunkSource
        let path: String
        let namespaces: [String: String]
        let options: Options

        /// Creates a stream of the records in a file.
        ///
        /// `path` names the elements: `item`, `channel/item`, `/rss/channel/item`, `a:entry`. A path with a leading
        /// slash begins at the root; other paths match anywhere. Prefixes refer to `namespaces`, otherwise to the
        /// document's own prefixes. A matching element inside a record isn't a record of its own.
        public init(
            of path: String, in file: URL, namespaces: [String: String] = [:], options: Options = .streaming
        ) {
            self.init(source: .file(file), path: path, namespaces: namespaces, options: options)
        }

        /// Creates a stream of the records in data.
        public init(
            of path: String, in data: Data, namespaces: [String: String] = [:], options: Options = .streaming
        ) {
            self.init(source: .data(data), path: path, namespaces: namespaces, options: options)
        }

        /// Creates a stream of the records in asynchronous chunks, such as from a network; chunks are requested on
        /// demand.
        public init<S: AsyncSequence & Sendable>(
            of path: String, from chunks: S, namespaces: [String: String] = [:], options: Options = .streaming
        ) where S.Element: DataProtocol & Sendable {
            self.init(
                source: ChunkSource(chunks), path: path, namespaces: namespaces, options: options)
        }

        private init(source: ChunkSource, path: String, namespaces: [String: String], options: Options) {
            self.source = source
            self.path = path
            self.namespaces = namespaces
            self.options = options
        }

        func makeParser() -> RecordParser { RecordParser(of: path, namespaces: namespaces, options: options) }
    }
}
