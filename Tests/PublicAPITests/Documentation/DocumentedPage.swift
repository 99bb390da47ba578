import Foundation

/// The package's own folder.
private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// The text of a file of the package.
func documentedText(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
}

/// The files in a folder of the package and below, by their paths from there.
func documentedFiles(in folder: String, ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        .filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
}

/// A page of the documentation with its blocks of code.
struct DocumentedPage: Sendable, CustomStringConvertible {
    static let catalog = "Sources/Stepline/Documentation.docc"

    /// README, and every page of the catalog.
    static func all() throws -> [DocumentedPage] {
        try (["README.md"] + documentedFiles(in: catalog, ending: ".md")).map(DocumentedPage.init)
    }

    let path: String
    let text: String
    let blocks: [DocumentedBlock]

    var description: String { path }
    var swift: [DocumentedBlock] { blocks.filter { $0.language == "swift" } }

    init(_ path: String) throws {
        self.path = path
        text = try documentedText(of: path)
        var blocks: [DocumentedBlock] = []
        var fence: Substring?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let marks = line.drop { $0 == " " }.prefix { "`~".contains($0) }
            if let open = fence {
                if marks.hasPrefix(open) {
                    fence = nil
                } else {
                    blocks[blocks.count - 1].code += line + "\n"
                }
            } else if marks.count >= 3 {
                fence = marks
                let language = line.drop { " `~".contains($0) }.lowercased()
                blocks.append(DocumentedBlock(page: path, line: index + 1, language: language, code: ""))
            }
        }
        self.blocks = blocks
    }
}

/// A fenced block of a page.
struct DocumentedBlock: Sendable, CustomStringConvertible {
    /// The kind of a block of Swift, by its first line.
    enum Form: Equatable {
        /// A block that begins with its imports, and compiles as it stands.
        case program
        /// The same, as a package's manifest.
        case manifest
        /// `// Name.swift`: it is that file of the examples, as a whole.
        case file(String)
        /// `// Goes on from Name.swift`: it stands in that file of `Snippets/`, with all that it uses.
        case part(String)
    }

    let page: String
    let line: Int
    let language: String
    var code: String

    var description: String { "\(page):\(line)" }

    var form: Form? {
        let first = String(code.prefix { $0 != "\n" })
        if first.hasPrefix("import ") { return .program }
        if first.hasPrefix("// swift-tools-version: ") { return .manifest }
        if let match = first.wholeMatch(of: /\/\/ (\w+\.swift)/) { return .file(String(match.1)) }
        if let match = first.wholeMatch(of: /\/\/ Goes on from (\w+\.swift)/) {
            return .part(String(match.1))
        }
        return nil
    }

    /// The code below the line that names its file.
    var body: Substring { code.drop { $0 != "\n" }.dropFirst() }
}
