import Foundation

/// The files of a folder and its subfolders.
enum FileTree {
    /// Returns the contents by relative path; links and special files are ignored.
    static func read(_ folder: URL) throws -> [String: Data] {
        var found: [String: Data] = [:]
        try read(folder, "", &found)
        return found
    }

    /// Replaces a folder's files atomically.
    static func replace(_ folder: URL, with files: [String: Data]) throws {
        let parent = folder.deletingLastPathComponent()
        let new = parent.appending(
            path: ".\(folder.lastPathComponent)-\(getpid())", directoryHint: .isDirectory)
        let manager = FileManager.default
        try? manager.removeItem(at: new)
        defer { try? manager.removeItem(at: new) }
        try manager.createDirectory(at: new, withIntermediateDirectories: true)
        try write(files, to: new)
        if manager.fileExists(atPath: folder.path) { try manager.removeItem(at: folder) }
        try manager.moveItem(at: new, to: folder)
    }

    /// Writes files into a folder.
    static func write(_ files: [String: Data], to folder: URL) throws {
        for (path, data) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    private static func read(_ folder: URL, _ prefix: String, _ found: inout [String: Data]) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: folder.path) else { return }
        for name in try manager.contentsOfDirectory(atPath: folder.path) {
            let place = folder.appending(path: name)
            switch try manager.attributesOfItem(atPath: place.path)[.type] as? FileAttributeType {
            case .typeDirectory?: try read(place, prefix + name + "/", &found)
            case .typeRegular?: found[prefix + name] = try Data(contentsOf: place)
            default: break
            }
        }
    }
}
