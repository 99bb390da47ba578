import Foundation
import SteplineRequests
import SteplineSupport

/// The location of a file to write: its open folder, and temporary neighbours.
package struct FilePlace {
    /// The path of the file.
    let path: String
    let folder: Folder

    private var name: String { path.lastName }

    /// Opens the folder of a path; creates missing folders on request.
    ///
    /// A link at the end of the path is followed on request; otherwise it is an error to write there.
    init(_ path: String, makingFolder: Bool, followingLinks: Bool = true) throws {
        try path.checkAsPath()
        self.path = followingLinks ? try path.followingLinks() : path
        let parent = self.path.outerFolder
        let folder = parent.isEmpty ? "." : parent
        do {
            self.folder = try Folder(folder)
        } catch let error as SystemCallError where error.number == ENOENT && makingFolder {
            try Self.make(folder)
            self.folder = try Folder(folder)
        }
    }

    /// Creates a neighbour with a unique name, open for writing.
    func makeTemporary() throws -> (name: String, file: OpenFile) {
        let (name, descriptor) = try folder.makeTemporary()
        return (name, OpenFile("\(folder.path)/\(name)", descriptor: descriptor))
    }

    /// Returns the constant name of a hidden neighbour of the file.
    func neighbour(_ suffix: String) -> String { ".\(name).\(suffix)" }

    /// Opens a neighbour, or the file itself if none is named; never follows links.
    func open(_ neighbour: String?, _ flags: Int32, mode: mode_t = 0o666) throws -> OpenFile {
        let name = neighbour ?? name
        let descriptor = try folder.open(name, flags, mode: mode)
        return OpenFile("\(folder.path)/\(name)", descriptor: descriptor)
    }

    /// Renames a neighbour to the file.
    func moveIntoPlace(_ neighbour: String) throws { try folder.rename(neighbour, to: name) }

    /// Renames a neighbour to the file, if the file doesn't exist.
    func moveIntoFreePlace(_ neighbour: String) throws {
        // Unlike rename, `link` fails if another process has created the file meanwhile.
        try folder.link(neighbour, as: name)
        folder.remove(neighbour)
    }

    func remove(_ neighbour: String? = nil) { folder.remove(neighbour ?? name) }

    /// Returns the status of an existing file; nil if there is none.
    ///
    /// Throws if anything but a regular file is there.
    func existingStatus() throws -> stat? {
        guard let status = try folder.status(of: name) else { return nil }
        guard !status.isLink else {
            throw FileError(.notRegular, path, "a symbolic link, which is not followed")
        }
        guard status.isRegularFile else {
            throw FileError(.notRegular, path, "not a regular file")
        }
        return status
    }

    /// Creates a folder and all missing folders around it.
    package static func make(_ path: String) throws {
        guard mkdir(path, 0o777) != 0 else { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            let parent = path.outerFolder
            guard !parent.isEmpty, parent != path else { throw FileError.system("mkdir", path, ENOENT) }
            try make(parent)
            // Another process may have created the folder meanwhile.
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError.system("mkdir", path) }
        default:
            throw FileError.system("mkdir", path)
        }
    }
}

extension String {
    /// Throws if the path contains a NUL, at which the system would truncate it.
    func checkAsPath() throws {
        guard !utf8.contains(0) else {
            throw FileError(.notFileURL, rewriting { $0 == "\0" ? "\\0" : nil }, "the path holds a zero byte")
        }
    }

    /// Returns the target of the symbolic links at the end of the path, even if it doesn't exist.
    fileprivate func followingLinks() throws -> String {
        var path = self
        for _ in 0..<40 {
            guard let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                return path
            }
            let directory = path.outerFolder
            path = destination.begins(with: "/") ? destination : "\(directory)/\(destination)"
        }
        throw FileError.system("open", self, ELOOP)
    }
}
