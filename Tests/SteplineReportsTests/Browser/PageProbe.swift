import Foundation
import SteplineJSON
import Testing

/// Measures a page in a browser, by the script of a page around it.
///
/// The page itself is not changed, and its policy against other scripts holds.
struct PageProbe {
    /// A page, and how wide it is shown.
    struct Page {
        let html: String
        let width: Int
    }

    let width: Int
    let findings: JSON

    /// Opens a page in a frame, and calls the script's function `look` once it has loaded.
    ///
    /// - Parameter hasScripts: Whether the page itself may run any.
    init(
        _ html: String, width: Int, height: Int = 3200, isDark: Bool, picture: URL? = nil,
        hasScripts: Bool = true, script: String = PageProbe.looking
    ) async throws {
        let probes = try await Self.open(
            [Page(html: html, width: width)], height: height, isDark: isDark, picture: picture,
            hasScripts: hasScripts, script: script)
        self = try #require(probes.first)
    }

    private init(width: Int, findings: JSON) {
        self.width = width
        self.findings = findings
    }

    /// Starts one browser, which opens each page in a frame of its own; returns the findings in the pages' order.
    static func open(
        _ pages: [Page], height: Int = 3200, isDark: Bool, picture: URL? = nil,
        hasScripts: Bool = true, script: String = PageProbe.looking
    ) async throws -> [PageProbe] {
        // A window has at least 500 pixels.
        let width = max(pages.map(\.width).max() ?? 0, 500)
        let browser = Browser(isDark: isDark, size: (width, height * pages.count), picture: picture)
        let attributes = hasScripts ? "" : " sandbox=\"allow-same-origin\""
        let frames = pages.map { frame(around: $0, height, attributes) }.joined()
        let visit = try await browser.open(
            head + frames + "<script>\(common)\(script)</script></body></html>")
        let console = visit.console.filter { hasScripts || !$0.contains("Blocked script execution") }
        #expect(console.isEmpty && visit.requests.isEmpty, "\(visit.console) \(visit.requests)")
        let start = try #require(
            visit.page.range(of: "data-findings=\""), "the script didn't come to its end")
        let text = visit.page[start.upperBound...].prefix { $0 != "\"" }
            .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&lt;", with: "<")
            .replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(of: "&nbsp;", with: "\u{A0}")
            .replacingOccurrences(of: "&amp;", with: "&")
        let findings = try #require(JSON(parsing: text).array)
        try #require(findings.count == pages.count)
        return zip(pages, findings).map { PageProbe(width: $0.width, findings: $1) }
    }

    func number(_ name: String) throws -> Double { try #require(findings[name]?.double) }

    func texts(_ name: String) throws -> [String] {
        try #require(findings[name]?.array).compactMap(\.string)
    }

    private static let head = """
        <!DOCTYPE html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
        <style>body{margin:0}iframe{border:0;display:block}</style></head><body>
        """

    private static func frame(around page: Page, _ height: Int, _ attributes: String) -> String {
        let quoted = page.html.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "\"", with: "&quot;")
        let size = "style=\"width:\(page.width)px;height:\(height)px\""
        return "<iframe\(attributes) \(size) srcdoc=\"\(quoted)\"></iframe>"
    }

    /// The beginning of all scripts.
    private static let common = #"""
        let view, page;
        const all = (where) => [...page.querySelectorAll(where)], one = (where) => page.querySelector(where);
        // How much of a canvas is drawn on: parts in a thousand.
        const drawn = (canvas) => {
            if (!canvas) return 0;
            const { width, height } = canvas;
            if (!width || !height) return 0;
            const bytes = canvas.getContext("2d").getImageData(0, 0, width, height).data;
            let count = 0;
            for (let i = 3; i < bytes.length; i += 4) count += bytes[i] > 0;
            return Math.ceil(count / (width * height) * 1000);
        };
        onload = () => {
            const findings = Array.from({ length: frames.length }, (_, place) => {
                [view, page] = [frames[place], frames[place].document];
                return look();
            });
            document.body.dataset.findings = JSON.stringify(findings);
        };
        """#

    /// Measures what is to be seen.
    static let looking = #"""
        function look() {
            const style = (element) => view.getComputedStyle(element);
            const parts = (color) => (color.match(/[\d.]+/g) || []).map(Number);
            const isSolid = (color) => { const p = parts(color); return p.length == 3 || p[3] == 1; };
            const light = (color) => {
                const [r, g, b] = parts(color).map(c => c / 255)
                    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
                return .2126 * r + .7152 * g + .0722 * b;
            };
            const contrast = (one, two) => {
                const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
                return (high + .05) / (low + .05);
            };
            const ground = (element) => {
                if (!element) return "rgb(255, 255, 255)";
                const card = [...(element.parentElement?.children || [])].find(e => e.matches("rect.card"));
                if (card) return style(card).fill;
                const color = style(element).backgroundColor;
                return isSolid(color) ? color : ground(element.parentElement);
            };
            const texts = all("body *").filter(e => !e.closest("title, style, defs") && e.getClientRects().length
                && [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()));
            const ink = (e) => e instanceof view.SVGElement ? style(e).fill : style(e).color;
            const boxes = all(".graph .card, .graph .frame").map(card => {
                const box = card.getBoundingClientRect();
                const texts = [...card.parentElement.children].filter(e => e.matches("text"));
                return texts.filter(t => t.getBoundingClientRect().right > box.right - 4)
                    .map(t => t.textContent);
            });
            const fits = (e) => {
                const box = e.getBoundingClientRect();
                return e.closest(".wide") || box.right <= page.documentElement.clientWidth + 1 && box.left >= -1;
            };
            return {
                dark: view.matchMedia("(prefers-color-scheme:dark)").matches,
                ground: style(page.body).backgroundColor, ink: style(page.body).color, width: view.innerWidth,
                wholeWidth: page.documentElement.scrollWidth, title: page.title,
                heading: page.querySelector("h1").textContent, names: all("#space bdi").map(e => e.textContent),
                cards: all(".graph .name").filter(e => e.getBoundingClientRect().width > 0).length,
                bars: drawn(one("#bars")), axis: drawn(one("#axis")),
                marks: all(".mark").filter(e => e.getClientRects().length && !e.getBBox().width).length,
                sections: all("section").map(e => e.id), outside: boxes.flat(),
                faint: texts.filter(e => contrast(ink(e), ground(e)) < 4.5)
                    .map(e => `${e.textContent.slice(0, 40)}: ${ink(e)} on ${ground(e)}`),
                cut: texts.filter(e => !fits(e)).map(e => e.textContent.slice(0, 40)),
                took: all("#space .took").map(e => e.textContent),
                scripts: page.scripts.length, count: one("#count").textContent,
            };
        }
        """#
}
