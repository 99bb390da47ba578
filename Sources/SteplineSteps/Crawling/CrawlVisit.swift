package import Foundation
import SteplineJSON
import SteplineSupport

/// A page that a crawl has found: an element of its growing list.
package struct CrawlVisit: SelfEncodingJSON, Hashable, Sendable {
    /// Why a page is loaded.
    package enum Kind: String, Codable, Sendable {
        /// The crawl starts from the page.
        case start
        case page
        /// A kind of stored runs only: the canonical address of a page without a result, whose own one doesn't count.
        case canonical
        /// The canonical address of a page that has a result, so only the links of this one count.
        case duplicate
        case sitemap
    }

    /// The URL in normal form.
    package let url: String
    /// The number of links from a start.
    package let depth: Int
    package let kind: Kind
    /// The URLs of the redirects that led here, from the first on; nil without a redirect.
    package let via: [String]?

    init(_ url: URL, depth: Int, _ kind: Kind, via: [String]? = nil) {
        self.init(normal: url.normalized, depth: depth, kind, via: via)
    }

    /// Creates the visit of a URL that is in normal form.
    init(normal url: URL, depth: Int, _ kind: Kind, via: [String]? = nil) {
        self.url = url.absoluteString
        self.depth = depth
        self.kind = kind
        self.via = via
    }

    package func jsonBytes() -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(url.utf8.count + 64)
        bytes += #"{"depth":\#(depth),"kind":"\#(kind.rawValue)","url":"#.utf8
        JSON.append(url, to: &bytes)
        if let via {
            bytes += #","via":"#.utf8
            JSON.append(via, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return Data(bytes)
    }

    /// The longest key, in bytes: the name of a durable run's task, with the name of the crawl, has at most 1 KiB.
    private static let longestKey = 700

    /// The key by which the page is visited once: the URL, or its beginning and its hash if it is long.
    package var key: String {
        let key = kind == .sitemap ? "sitemap \(url)" : url
        guard key.utf8.count > Self.longestKey else { return key }
        let hash = Array(key.utf8).withUnsafeBytes { SHA256.digits(SHA256.hash($0)) }
        // Normal forms are ASCII, so the beginning is a text.
        return String(key.unicodeScalars.prefix(Self.longestKey - hash.utf8.count - 1)) + " " + hash
    }
}

extension Crawl {
    /// The visits with which the crawl begins, each once.
    package var firstVisits: [CrawlVisit] {
        var known: Set<String> = []
        return starts.map { CrawlVisit($0, depth: 0, .start) }.filter { known.insert($0.key).inserted }
    }
}
