import Foundation

extension JSON {
    /// Hands over the elements of one array of a document as its bytes arrive.
    ///
    /// All of the text is checked, also what stands before and behind the array; memory holds a chunk and one
    /// element. Of an array that is found twice, by duplicate keys on the way, the second is an error. Duplicate
    /// keys elsewhere outside of the elements aren't looked for.
    package final class ElementReader: RecordReader {
        private var scanner: ElementScanner

        /// Makes a reader of the array at a JSON Pointer; the empty one is the whole document.
        ///
        /// A malformed pointer is an `.invalidPath`. The options hold for each element, the depth also for the
        /// way to it.
        package init(at pointer: String, options: Options = .init()) throws(JSONError) {
            scanner = ElementScanner(try JSONPointer(pointer), options: options)
        }

        package override var line: Int { scanner.elementPlace.line }

        package override var column: Int { scanner.elementPlace.column }

        override func append(_ chunk: Data) { scanner.append(chunk) }

        override func end() { scanner.end() }

        override func find() throws(JSONError) -> JSON? { try scanner.next() }
    }
}
