import Foundation
import SteplineSupport

/// The folder that a workflow file may read and write in, and whatever else it was allowed.
struct FlowFolder: Sendable {
    /// The folder, without links.
    let root: String
    /// The workflow file itself, which no step may overwrite.
    let file: String?
    private let allowed: [String]
    /// The other files of the flow, and those of its store, which no step may overwrite, move or delete.
    private(set) var others: Set<String> = []

    /// Takes the folder of a file, and paths that are allowed beside it; all relative to `directory`.
    init(ofFile path: String, allowing paths: [String] = [], in directory: String) {
        let file = PathResolver.resolve(path, in: directory) ?? directory
        self.file = file
        // Where the file is a link, the folder is that of the link: relative paths are meant to be beside it.
        let written = PathResolver.absolute(path, in: directory)
        let parent = written.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(written[..<$0]) } ?? directory
        root = PathResolver.resolve(parent.isEmpty ? "/" : parent, in: directory) ?? directory
        allowed = paths.compactMap { PathResolver.resolve($0, in: directory) }
    }

    /// A folder of its own, of which nobody else knows, for a run apart from the file.
    init(apart root: String, allowing paths: [String] = []) {
        self.root = PathResolver.resolve(root, in: "/") ?? root
        file = nil
        allowed = paths
    }

    /// The path of a file within the folder; nil for one that is elsewhere.
    func inside(_ file: URL) -> String? { inside(file.path(percentEncoded: false)) }

    func inside(_ path: String) -> String? { path.behind(root + "/") }

    /// The folder of another workflow file, which may read and write wherever this one may.
    func inner(_ path: String) -> FlowFolder {
        FlowFolder(ofFile: path, allowing: [root] + allowed, in: "/")
    }

    /// The folder of a file that would be at a path in this one, which knows of no file.
    func inner(at path: String) -> FlowFolder {
        FlowFolder(apart: (root + "/" + path).outerFolder, allowing: [root])
    }

    /// Keeps steps from overwriting, moving and deleting these files.
    mutating func protect(_ paths: some Sequence<String>) { others.formUnion(paths) }

    /// A path that leads somewhere it may not.
    struct Refusal: Error, CustomStringConvertible {
        let message: String
        let hint: String?
        /// Whether links lead in a circle, or it is no path at all.
        var leadsNowhere = false

        var description: String { message + (hint.map { " (\($0))" } ?? "") }
    }

    /// Where a path of the workflow file leads, links followed.
    func resolve(_ path: String) throws -> URL {
        guard let resolved = PathResolver.resolve(path, in: root) else {
            throw Refusal(message: "\"\(path)\" leads nowhere", hint: nil, leadsNowhere: true)
        }
        try checkAllowed(resolved, as: path)
        return URL(filePath: resolved)
    }

    /// Throws if a place without links is neither in the folder nor in one that was allowed.
    func checkAllowed(_ resolved: String, as path: String) throws {
        guard ([root] + allowed).contains(where: { Self.contains($0, resolved) }) else {
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: resolved, isDirectory: &isFolder)
            let parent = resolved.outerFolder
            let directory = isThere && isFolder.boolValue ? resolved : parent
            throw Refusal(
                message: "\"\(path)\" is outside the workflow's folder",
                hint: "--allow-path \(directory) would allow it")
        }
    }

    /// The same, for a file that is going to be written.
    func resolveForWriting(_ path: String) throws -> URL {
        let url = try resolve(path)
        guard url.path(percentEncoded: false) != file else {
            throw Refusal(message: "\"\(path)\" is the workflow file itself", hint: nil)
        }
        guard !others.contains(url.path(percentEncoded: false)) else {
            throw Refusal(message: "\"\(path)\" is a file of the workflow itself, or of its store", hint: nil)
        }
        return url
    }

    /// Whether a path is that of a folder or of something in it; both without links.
    static func contains(_ folder: String, _ path: String) -> Bool {
        folder == "/" || path.utf8.elementsEqual(folder.utf8) || path.begins(with: folder + "/")
    }
}
