public import Foundation
import SteplineRequests
import SteplineXML

/// The addresses of a sitemap, or of an index of sitemaps (sitemaps.org).
///
/// XML and plain text are read, packed with gzip or not.
public struct Sitemap: Sendable {
    /// The greatest size in bytes, after unpacking: twice that of the protocol.
    public static let maximumSize = 100 << 20
    /// The greatest number of addresses, or of lines of text: twice that of the protocol.
    ///
    /// Further ones are omitted.
    public static let maximumCount = 100_000
    private static let longestAddress = 8_192

    /// The pages.
    public private(set) var pages: [URL] = []
    /// The sitemaps that an index names.
    public private(set) var sitemaps: [URL] = []

    /// Reads a sitemap.
    ///
    /// Addresses that aren't absolute, with http or https, are omitted.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - url: The URL of the file, for errors.
    /// - Throws: A ``CrawlError`` with the code ``CrawlError/Code/sitemap`` if the file is damaged or too large, or a
    ///   `CancellationError` if the Swift task is cancelled.
    public init(data: Data, at url: URL) throws {
        do {
            let data = Gzip.isPacked(data) ? try Gzip.unpacked(data, limit: Self.maximumSize) : data
            guard data.count <= Self.maximumSize else {
                throw CrawlError(.sitemap, url, "the sitemap has more than \(Self.maximumSize) bytes")
            }
            try read(data)
        } catch let error where error is CrawlError || error is CancellationError {
            throw error
        } catch {
            throw CrawlError(.sitemap, url, "the sitemap can't be read", underlying: error)
        }
    }

    private mutating func read(_ data: Data) throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        // XML in UTF-16 begins with a byte order mark, or with a zero byte.
        guard let first = content.first(where: { !($0 == 32 || (9...13).contains($0)) }),
            [UInt8(ascii: "<"), 0, 0xFE, 0xFF].contains(first)
        else { return try readLines(of: content) }
        try read(data, "/urlset/url/loc", to: \.pages)
        // A file is one or the other. An index has no `urlset`.
        if pages.isEmpty { try read(data, "/sitemapindex/sitemap/loc", to: \.sitemaps) }
    }

    /// Reads a file of text, which has one address a line.
    private mutating func readLines(of content: Data) throws {
        func isBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
        var rest = content.drop(while: isBreak)
        var count = 0
        while !rest.isEmpty, count < Self.maximumCount {
            try Task.checkCancellation()
            let line = rest.prefix { !isBreak($0) }
            rest = rest.dropFirst(line.count).drop(while: isBreak)
            count += 1
            // Before a text is made: one line may be as long as the file.
            if line.count <= Self.longestAddress {
                add(String(decoding: line, as: UTF8.self), to: \.pages)
            }
        }
    }

    private mutating func read(
        _ data: Data, _ path: String, to list: WritableKeyPath<Sitemap, [URL]>
    ) throws {
        let parser = XML.RecordParser(of: path)
        var rest = data[...]
        // In pieces, so that only one is held as a tree.
        while !rest.isEmpty {
            try Task.checkCancellation()
            let piece = rest.prefix(1 << 20)
            rest = rest.dropFirst(piece.count)
            let records = try piece.withUnsafeBytes { try parser.feed($0) }
            for record in records { add(record.text, to: list) }
            if self[keyPath: list].count == Self.maximumCount { return }
        }
        for record in try parser.finish() { add(record.text, to: list) }
    }

    private mutating func add(_ text: String, to list: WritableKeyPath<Sitemap, [URL]>) {
        let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard self[keyPath: list].count < Self.maximumCount, !address.isEmpty,
            address.utf8.count <= Self.longestAddress, let url = URL(string: address),
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else { return }
        self[keyPath: list].append(url)
    }
}
