import Foundation
public import SteplineJSON

extension URLPages {
    /// Returns the records of all pages: the elements of the array at a JSON Pointer in each page.
    ///
    /// Use `""` for pages that are arrays.
    ///
    /// - Throws: A `JSONError` for an invalid JSON Pointer.
    public func records(at pointer: String) throws -> URLRecords {
        URLRecords(pages: self, pointer: try JSONPointer(pointer))
    }
}

/// The records of a paginated list.
///
/// A page that isn't JSON throws a `JSONError`; a page without the array throws a ``URLPageError``.
public struct URLRecords: AsyncSequence, Sendable {
    let pages: URLPages
    let pointer: JSONPointer

    /// Returns an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator(), pointer: pointer)
    }

    /// An iterator of records.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: URLPages.Iterator
        private let pointer: JSONPointer
        private var elements: JSON.Elements?

        /// The page of the last record; nil before the first.
        public private(set) var page: URLPage?

        fileprivate init(pages: URLPages.Iterator, pointer: JSONPointer) {
            self.pages = pages
            self.pointer = pointer
        }

        /// Returns the next record; nil after the last.
        ///
        /// - Throws: The errors of ``URLPages/Iterator/next()``, a `JSONError` for a page that isn't JSON, or a
        ///   ``URLPageError`` `.noRecords`.
        public mutating func next() async throws -> JSON? {
            while true {
                if let record = elements?.next() { return record }
                guard let page = try await pages.next() else { return nil }
                self.page = page
                guard let list = try JSON(parsing: page.data)[pointer], list.kind == .array else {
                    throw URLPageError(
                        .noRecords, page.number, page.request, "there is no array at \"\(pointer)\"")
                }
                elements = list.elements
            }
        }
    }
}
