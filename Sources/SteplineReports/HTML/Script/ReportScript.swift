/// The script of a report's page: it lists the tasks, draws when they ran, and answers the keyboard.
///
/// Plain JavaScript that asks for nothing. All that comes from a run it puts into the page as text, never as markup.
/// Its parts share one scope, in this order.
enum ReportScript {
    /// The whole, as it stands in the page: within marks that let parsers of XML read the page, too.
    static let text: String = {
        let parts = [reading, times, choosing, drawing, listing, timeline, overview, details, map, answering]
        return "//<![CDATA[\n\"use strict\";\n(() => {\n\(parts.joined(separator: "\n"))\n})();\n//]]>"
    }()

    /// The hash by which the page's policy knows it: SHA-256 in base 64; a test says what it has to be.
    static let hash = "q346ztBQtTa1FVguE1h9V/wz2XfqAsbm3+/rP3+qS6U="
}
