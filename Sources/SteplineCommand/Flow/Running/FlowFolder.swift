import Foundation

/// The folder that a workflow file may read and write in, and whatever else it was allowed.
struct FlowFolder: Sendable {
    /// The folder, without links.
    let root: String
    /// The workflow file itself, which no step may overwrite.
    let file: String?
    private let allowed: [String]

    /// Takes the folder of a file, and paths that are allowed beside it; all relative to `directory`.
    init(ofFile path: String, allowing paths: [String] = [], in directory: String) {
        let file = PathResolver.resolve(path, in: directory) ?? directory
        self.file = file
        // Where the file is a link, the folder is that of the link: relative paths are meant to be beside it.
        let written = path.hasPrefix("/") ? path : directory + "/" + path
        let parent = written.lastIndex(of: "/").map { String(written[..<$0]) } ?? directory
        root = PathResolver.resolve(parent.isEmpty ? "/" : parent, in: directory) ?? directory
        allowed = paths.compactMap { PathResolver.resolve($0, in: directory) }
    }

    /// A path that leads somewhere it may not.
    struct Refusal: Error, CustomStringConvertible {
        let message: String
        let hint: String?

        var description: String { message + (hint.map { " (\($0))" } ?? "") }
    }

    /// Where a path of the workflow file leads, links followed.
    func resolve(_ path: String) throws -> URL {
        guard let resolved = PathResolver.resolve(path, in: root) else {
            throw Refusal(message: "\"\(path)\" leads nowhere", hint: nil)
        }
        guard ([root] + allowed).contains(where: { Self.contains($0, resolved) }) else {
            let directory = (resolved as NSString).deletingLastPathComponent
            throw Refusal(
                message: "\"\(path)\" is outside the workflow's folder",
                hint: "--allow-path \(directory) would allow it")
        }
        return URL(filePath: resolved)
    }

    /// The same, for a file that is going to be written.
    func resolveForWriting(_ path: String) throws -> URL {
        let url = try resolve(path)
        guard url.path(percentEncoded: false) != file else {
            throw Refusal(message: "\"\(path)\" is the workflow file itself", hint: nil)
        }
        return url
    }

    private static func contains(_ folder: String, _ path: String) -> Bool {
        folder == "/" || path == folder || path.hasPrefix(folder + "/")
    }
}
