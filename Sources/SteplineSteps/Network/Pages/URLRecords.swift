import Foundation
public import SteplineJSON

extension URLPages {
    /// The records of all pages as one stream: the elements of the array that a JSON Pointer leads to in each page.
    ///
    /// `""` is for pages that are arrays themselves. Throws a `JSONError` for what is no JSON Pointer.
    public func records(at pointer: String) throws -> URLRecords {
        URLRecords(pages: self, pointer: try JSONPointer(pointer))
    }
}

/// The records of a list that is loaded page by page.
///
/// A page that is no JSON ends it with a `JSONError`, one without an array in its place with a ``URLPageError``.
public struct URLRecords: AsyncSequence, Sendable {
    let pages: URLPages
    let pointer: JSONPointer

    /// Makes an iterator, which begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator(), pointer: pointer)
    }

    /// Gives record after record.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: URLPages.Iterator
        private let pointer: JSONPointer
        private var elements: JSON.Elements?

        /// The page that the last record was of; nil before the first.
        public private(set) var page: URLPage?

        fileprivate init(pages: URLPages.Iterator, pointer: JSONPointer) {
            self.pages = pages
            self.pointer = pointer
        }

        /// The next record; nil after the last.
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
