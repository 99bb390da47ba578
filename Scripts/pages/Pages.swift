import Foundation

/// Makes plain HTML pages of what docc has made, and follows every link.
///
/// They open from disk and from any host: no scripts, one stylesheet, relative links.
///
///     pages ARCHIVE STYLESHEET OUTPUT-FOLDER
@main
enum Pages {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static func main() {
        let words = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
        guard words.count == 3 else {
            print("usage: pages ARCHIVE STYLESHEET OUTPUT-FOLDER")
            exit(64)
        }
        do {
            try write(words[0], stylesheet: words[1], to: words[2])
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func write(_ folder: URL, stylesheet: URL, to output: URL) throws {
        let archive = try Archive(folder)
        var site = Site()
        for page in archive.pages {
            let place = archive.place(of: page.url)
            site.files[place] = Data(try PageText(page, at: place, in: archive).html.utf8)
        }
        site.files["symbols.html"] = Data(SymbolIndex(archive).html.utf8)
        site.files["style.css"] = try Data(contentsOf: stylesheet)
        for (place, file) in try archive.images() { site.files[place] = try Data(contentsOf: file) }

        let dead = site.deadLinks()
        guard dead.isEmpty else {
            throw Problem(description: "links to nothing:\n\(dead.joined(separator: "\n"))")
        }
        try site.write(to: output)
        print("\(archive.pages.count) pages, \(site.linkCount) links, all of which lead somewhere")
    }
}
