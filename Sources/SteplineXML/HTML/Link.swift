public import Foundation

extension XML {
    /// A link of an HTML page to another page.
    public struct Link: Hashable, Sendable {
        /// The absolute URL, with the scheme http or https.
        public let url: URL

        /// The link types of `rel` in lower case, such as `nofollow`.
        public let relations: Set<String>

        /// The element of the link, an `a` or `area`.
        public let element: Element

        /// The text of the link on one line; for an `area` the value of `alt`.
        public var text: String {
            ScalarText.collapsed(element.name == "area" ? element["alt"] ?? "" : element.text)
        }

        /// Whether the page asks crawlers not to follow the link: `rel="nofollow"`.
        public var isNofollow: Bool { relations.contains("nofollow") }
    }
}
