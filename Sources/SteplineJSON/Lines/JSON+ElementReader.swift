public import Foundation

extension JSON {
    /// Reads the elements of one array of a document from chunks that the caller supplies.
    ///
    /// `JSON.elements(at:in:)` provides the elements as a sequence. The text is UTF-8. All of it is validated, also
    /// before and after the array. Memory holds a chunk and one element. If duplicate keys on the path lead to the
    /// array twice, the second is an error. Other duplicate keys outside of the elements aren't detected.
    ///
    /// ```swift
    /// let reader = try JSON.ElementReader(at: "/data/items")
    /// for chunk in chunks { try reader.read(chunk) { item in … } }
    /// try reader.finish { item in … }
    /// ```
    public final class ElementReader {
        private var scanner: ElementScanner
        private var failure: JSONError?

        /// Makes a reader of the array at a JSON Pointer; the empty pointer is the whole document.
        ///
        /// The options apply to each element; the maximum depth also applies to the path to the array.
        ///
        /// - Throws: `JSONError` with the code `.invalidPath` if the pointer is malformed.
        public init(at pointer: String, options: Options = .init()) throws(JSONError) {
            scanner = ElementScanner(try JSONPointer(pointer), options: options)
        }

        /// Appends bytes, and calls `body` with each element that is complete.
        ///
        /// - Throws: `JSONError` with the position in the whole document; the reader then throws it on each later call.
        ///   An error of `body` ends the call, and later calls continue with the next element.
        public func read(_ chunk: Data, _ body: (JSON) throws -> Void) throws {
            append(chunk)
            while let element = try next() { try body(element) }
        }

        /// Calls `body` with the remaining elements, and checks that the document is complete.
        ///
        /// - Throws: `JSONError` with the code `.notFound` if the array is missing, or `.wrongKind` if the value isn't
        ///   an
        ///   array; errors of `body`.
        public func finish(_ body: (JSON) throws -> Void) throws {
            end()
            while let element = try next() { try body(element) }
        }

        /// The line on which the last element begins, from 1.
        ///
        /// Valid only within the closure that receives the element.
        public var line: Int { scanner.elementPlace.line }

        /// The column in which the last element begins, from 1, in Unicode scalars.
        public var column: Int { scanner.elementPlace.column }

        func append(_ chunk: Data) { scanner.append(chunk) }

        func end() { scanner.end() }

        func next() throws(JSONError) -> JSON? {
            if let failure { throw failure }
            do {
                return try scanner.next()
            } catch {
                failure = error
                throw error
            }
        }
    }
}

// A reader must not be shared between tasks.
@available(*, unavailable)
extension JSON.ElementReader: Sendable {}
