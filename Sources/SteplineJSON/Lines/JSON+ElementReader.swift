public import Foundation

extension JSON {
    /// Hands over the elements of one array of a document as its bytes arrive, by hand; `JSON.elements(at:in:)`
    /// gives them as a sequence.
    ///
    /// The text is UTF-8. All of it is checked, also what stands before and behind the array; memory holds a
    /// chunk and one element. Of an array that is found twice, by duplicate keys on the way, the second is an
    /// error. Duplicate keys elsewhere outside of the elements aren't looked for.
    ///
    /// ```swift
    /// let reader = try JSON.ElementReader(at: "/data/items")
    /// for chunk in chunks { try reader.read(chunk) { item in … } }
    /// try reader.finish { item in … }
    /// ```
    public final class ElementReader {
        private var scanner: ElementScanner
        private var failure: JSONError?

        /// Makes a reader of the array at a JSON Pointer; the empty one is the whole document.
        ///
        /// A malformed pointer is an `.invalidPath`. The options hold for each element, the depth also for the
        /// way to it.
        public init(at pointer: String, options: Options = .init()) throws(JSONError) {
            scanner = ElementScanner(try JSONPointer(pointer), options: options)
        }

        /// Takes the next bytes in, and hands over each element that is now complete.
        ///
        /// Malformed text is a `JSONError` with its place in the whole, and the end: it is thrown again by all
        /// that comes. What `body` throws ends the reading; the elements behind it are kept.
        public func read(_ chunk: Data, _ body: (JSON) throws -> Void) throws {
            append(chunk)
            while let element = try next() { try body(element) }
        }

        /// Hands over what is left, and checks that the document is whole: `.notFound` if the array isn't
        /// there, `.wrongKind` if something else is.
        public func finish(_ body: (JSON) throws -> Void) throws {
            end()
            while let element = try next() { try body(element) }
        }

        /// The line of the document on which the element that was handed over last begins, from 1.
        ///
        /// To be asked within the closure that is given the element.
        public var line: Int { scanner.elementPlace.line }

        /// The column in which that element begins, from 1, in characters (Unicode scalars).
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

// A reader is for one task.
@available(*, unavailable)
extension JSON.ElementReader: Sendable {}
