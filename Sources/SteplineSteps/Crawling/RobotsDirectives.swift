import Foundation
import SteplineRequests
import SteplineXML

/// The wishes of a page about crawlers, in `<meta name="robots">` and in the header `X-Robots-Tag`.
struct RobotsDirectives: Hashable {
    /// Whether the page isn't to be used.
    private(set) var isNoindex = false
    /// Whether the links of the page aren't to be followed.
    private(set) var isNofollow = false

    init() {}

    /// Reads the directives for all crawlers and those for one, whose name is in lower case.
    init(_ page: XML.Document, _ response: TransferResponse, agent: String) {
        for meta in page.metaContents where meta.name == "robots" || meta.name == agent { read(meta.content) }
        for header in response.allValues(of: "x-robots-tag") { read(header: header, agent) }
    }

    private mutating func read(header: String, _ agent: String) {
        // A name before a colon holds for all directives up to the next name: `otherbot: noindex, nofollow`.
        var isOurs = true
        for part in header.split(separator: ",") {
            let text = part.trimmingCharacters(in: .whitespaces).lowercased()
            let halves = text.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if halves.count == 2, halves[0] == agent || Self.isName(halves[0]) {
                isOurs = halves[0] == agent
                if isOurs { read(halves[1]) }
            } else if isOurs {
                read(text)
            }
        }
    }

    /// Returns whether a text before a colon is a crawler's name, unlike `25-jun-2030 15` in a time.
    private static func isName(_ text: String) -> Bool {
        text.first?.isLetter == true && !text.contains(where: \.isWhitespace) && !valued.contains(text)
    }

    /// The directives that have a value after a colon.
    private static let valued: Set = [
        "max-snippet", "max-image-preview", "max-video-preview", "unavailable_after",
    ]

    private mutating func read(_ content: String) {
        for word in content.lowercased().split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            if word == "noindex" || word == "none" { isNoindex = true }
            if word == "nofollow" || word == "none" { isNofollow = true }
        }
    }
}
