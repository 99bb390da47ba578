import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport

/// A generated site on loopback: each page is reachable by several paths, every tenth also by a redirect.
///
/// Page `i` links to pages `2i + 1`, `2i + 2`, `7i` and `13i`, to a missing page and to a file that isn't a page.
struct CrawlSite {
    let server: LoopbackServer
    let count: Int

    init(_ count: Int) throws {
        server = try LoopbackServer()
        self.count = count
        server.route("/robots.txt", .status(404))
        server.route("/file", .data(Data("%PDF".utf8), type: "application/pdf"))
        for number in 0..<count {
            let targets = [2 * number + 1, 2 * number + 2, 7 * number % count, 13 * number % count]
            let paths = targets.filter { $0 < count }.map { $0 % 10 == 3 ? "/old/\($0)" : "/\($0)" }
            let links = (paths + ["/file", "/missing/\(number % 3)"]).map { "<a href='\($0)'>x</a>" }
            let html = "<title>Page\n \(number)</title><h1>Head, \"\(number)\"</h1>\(links.joined())"
            server.route("/\(number)", .text(html, type: "text/html; charset=utf-8"))
            server.route("/old/\(number)", .redirect(to: "/\(number)"))
        }
    }

    var start: String { server.url("/0").absoluteString }

    /// The lines of all pages with the columns `title` and `h1`, sorted.
    func rows(_ format: String = "jsonl") -> [String] {
        let rows = (0..<count).map { number in
            let url = server.url("/\(number)").absoluteString
            return format == "csv"
                ? "\(url),Page \(number),\"Head, \"\"\(number)\"\"\"\r"
                : #"{"url":"\#(url)","title":"Page \#(number)","h1":"Head, \"\#(number)\""}"#
        }
        return rows.sorted()
    }

    /// How often each page and redirect was requested.
    var requests: [String: Int] {
        server.requests.map(\.target).filter { $0 != "/robots.txt" }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

extension TemporaryFolder {
    /// Returns the lines of a file, sorted; the text after the last line break counts as one.
    func sortedLines(_ name: String) throws -> [String] {
        try text(name).unicodeScalars.split(separator: "\n").map(String.init).sorted()
    }
}
