public import Foundation

extension XML {
    /// The records of a document of any size, one at a time, in constant memory.
    ///
    /// It is read only as far as it is asked: iterate it with `for try await`, or call ``forEach(_:)``. Each
    /// iteration starts anew (as far as chunks from elsewhere can be had twice). Ending an iteration early stops the
    /// reading; a cancelled task sees a `CancellationError` at the next record. An input that is cut off is an
    /// ``XMLError`` that tells how many records came before.
    ///
    /// A record keeps the few others alive that came with it in one piece of the input.
    public struct Stream: Sendable {
        enum Source: Sendable {
            case file(URL)
            case data(Data)
            case chunks(@Sendable () -> Chunks)
        }

        let source: Source
        let path: String
        let namespaces: [String: String]
        let options: Options

        /// The records of a file.
        ///
        /// `path` is as in ``RecordParser/init(of:namespaces:options:)``.
        public init(
            of path: String, in file: URL, namespaces: [String: String] = [:], options: Options = .streaming
        ) {
            self.init(source: .file(file), path: path, namespaces: namespaces, options: options)
        }

        /// The records of data in memory.
        public init(
            of path: String, in data: Data, namespaces: [String: String] = [:], options: Options = .streaming
        ) {
            self.init(source: .data(data), path: path, namespaces: namespaces, options: options)
        }

        /// The records of chunks as they arrive, from a network for instance; the next is asked for when it is needed.
        public init<S: AsyncSequence & Sendable>(
            of path: String, from chunks: S, namespaces: [String: String] = [:], options: Options = .streaming
        ) where S.Element: DataProtocol & Sendable {
            self.init(
                source: .chunks { TypedChunks(chunks.makeAsyncIterator()) }, path: path,
                namespaces: namespaces,
                options: options)
        }

        private init(source: Source, path: String, namespaces: [String: String], options: Options) {
            self.source = source
            self.path = path
            self.namespaces = namespaces
            self.options = options
        }

        func makeParser() -> RecordParser { RecordParser(of: path, namespaces: namespaces, options: options) }
    }
}
