public import Foundation
import SteplineRequests
import SteplineXML

/// The addresses of a sitemap, or of an index of sitemaps (sitemaps.org).
///
/// XML and plain text are read, packed with gzip or not.
public struct Sitemap: Sendable {
    /// The greatest size in bytes, after unpacking: twice that of the protocol.
    public static let maximumSize = 100 << 20
    /// The greatest number of addresses: twice that of the protocol.
    public static let maximumCount = 100_000

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
    /// - Throws: A ``CrawlError`` with the code ``CrawlError/Code/sitemap`` if the file is damaged or exceeds a limit.
    public init(data: Data, at url: URL) throws {
        do {
            let data = Gzip.isPacked(data) ? try Gzip.unpacked(data, limit: Self.maximumSize) : data
            guard data.count <= Self.maximumSize else {
                throw CrawlError(.sitemap, url, "the sitemap has more than \(Self.maximumSize) bytes")
            }
            try read(data)
            guard max(pages.count, sitemaps.count) <= Self.maximumCount else {
                throw CrawlError(.sitemap, url, "the sitemap has more than \(Self.maximumCount) addresses")
            }
        } catch let error as CrawlError {
            throw error
        } catch {
            throw CrawlError(.sitemap, url, "the sitemap can't be read", underlying: error)
        }
    }

    private mutating func read(_ data: Data) throws {
        // Files of text have one address a line.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        let first = content.first { !($0 == 32 || (9...13).contains($0)) }
        guard first == UInt8(ascii: "<") else {
            for line in content.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
                add(String(decoding: line, as: UTF8.self), to: \.pages)
            }
            return
        }
        try read(data, "/urlset/url/loc", to: \.pages)
        // A file is one or the other. An index has no `urlset`.
        if pages.isEmpty { try read(data, "/sitemapindex/sitemap/loc", to: \.sitemaps) }
    }

    private mutating func read(
        _ data: Data, _ path: String, to list: WritableKeyPath<Sitemap, [URL]>
    ) throws {
        let parser = XML.RecordParser(of: path)
        var rest = data[...]
        // In pieces, so that only one is held as a tree.
        while !rest.isEmpty {
            let piece = rest.prefix(1 << 20)
            rest = rest.dropFirst(piece.count)
            let records = try piece.withUnsafeBytes { try parser.feed($0) }
            for record in records { add(record.text, to: list) }
        }
        for record in try parser.finish() { add(record.text, to: list) }
    }

    private mutating func add(_ text: String, to list: WritableKeyPath<Sitemap, [URL]>) {
        let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !address.isEmpty, address.utf8.count <= 8_192, let url = URL(string: address),
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else { return }
        // One more than the limit shows that the limit is exceeded.
        if self[keyPath: list].count <= Self.maximumCount { self[keyPath: list].append(url) }
    }
}
