import Foundation
import SteplineSupport

/// The folder that a workflow file may read and write, with additionally allowed paths.
///
/// All checks use resolved paths without links, so that a link can't lead outside.
struct FlowFolder: Sendable {
    /// The folder without links.
    let root: String
    /// The workflow file, which steps must not overwrite.
    let file: String?
    private let allowed: [String]
    /// Other workflow files and files of the store, which steps must not overwrite, move or delete.
    private(set) var others: Set<String> = []

    /// Creates the folder of a file and of allowed paths; relative paths start at `directory`.
    init(ofFile path: String, allowing paths: [String] = [], in directory: String) {
        let file = PathResolver.resolve(path, in: directory) ?? directory
        self.file = file
        // For a linked file use the link's own folder: relative paths refer to files beside the link.
        let written = PathResolver.absolute(path, in: directory)
        let parent = written.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(written[..<$0]) } ?? directory
        root = PathResolver.resolve(parent.isEmpty ? "/" : parent, in: directory) ?? directory
        allowed = paths.compactMap { PathResolver.resolve($0, in: directory) }
    }

    /// Creates a separate folder for a run apart from the file.
    init(apart root: String, allowing paths: [String] = []) {
        self.root = PathResolver.resolve(root, in: "/") ?? root
        file = nil
        allowed = paths
    }

    /// Returns the path of a file within the folder; nil for a file outside.
    func inside(_ file: URL) -> String? { inside(file.path(percentEncoded: false)) }

    func inside(_ path: String) -> String? { path.after(root + "/") }

    /// Returns the folder of another workflow file, with the same permissions.
    func inner(_ path: String) -> FlowFolder {
        FlowFolder(ofFile: path, allowing: [root] + allowed, in: "/")
    }

    /// Returns the folder for a file at a path in this folder, without a workflow file.
    func inner(at path: String) -> FlowFolder {
        FlowFolder(apart: (root + "/" + path).outerFolder, allowing: [root])
    }

    /// Protects files from being overwritten, moved and deleted by steps.
    mutating func protect(_ paths: some Sequence<String>) { others.formUnion(paths) }

    /// The error for a path that isn't permitted.
    struct Refusal: Error, CustomStringConvertible {
        let message: String
        let hint: String?
        /// Whether the path can't be resolved because of a link cycle or an invalid name.
        var leadsNowhere = false

        var description: String { message + (hint.map { " (\($0))" } ?? "") }
    }

    /// Resolves a path, following links; throws if it isn't permitted.
    func resolve(_ path: String) throws -> URL {
        guard let resolved = PathResolver.resolve(path, in: root) else {
            throw Refusal(message: "\"\(path)\" leads nowhere", hint: nil, leadsNowhere: true)
        }
        try checkAllowed(resolved, as: path)
        return URL(filePath: resolved)
    }

    /// Throws if a resolved path is neither in the folder nor in an allowed one.
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

    /// Resolves a path for writing; protected files aren't permitted.
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

    /// Returns whether a path is a folder or inside it; both without links.
    static func contains(_ folder: String, _ path: String) -> Bool {
        folder == "/" || path.utf8.elementsEqual(folder.utf8) || path.begins(with: folder + "/")
    }
}
