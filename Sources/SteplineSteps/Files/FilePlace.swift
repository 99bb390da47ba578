import Foundation
import SteplineRequests
import SteplineSupport

/// Where a file is to be: its open folder, and the neighbours it has there on its way.
package struct FilePlace {
    /// The path of the file itself.
    let path: String
    let folder: Folder

    private var name: String { path.lastName }

    /// Opens the folder of a path; makes it, with all above it, if that is wanted.
    ///
    /// A link at the path's end is followed if that is wanted, or else refused when something is to be put there.
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

    /// A neighbour that nobody else uses, open for writing.
    func makeTemporary() throws -> (name: String, file: OpenFile) {
        let (name, descriptor) = try folder.makeTemporary()
        return (name, OpenFile("\(folder.path)/\(name)", descriptor: descriptor))
    }

    /// The name of a hidden neighbour that belongs to the file, always the same.
    func neighbour(_ suffix: String) -> String { ".\(name).\(suffix)" }

    /// Opens a neighbour, or the file itself if none is named; never through a link.
    func open(_ neighbour: String?, _ flags: Int32, mode: mode_t = 0o666) throws -> OpenFile {
        let name = neighbour ?? name
        let descriptor = try folder.open(name, flags, mode: mode)
        return OpenFile("\(folder.path)/\(name)", descriptor: descriptor)
    }

    /// Moves a neighbour to where the file is to be.
    func moveIntoPlace(_ neighbour: String) throws { try folder.rename(neighbour, to: name) }

    /// Moves a neighbour to where the file is to be, unless something is there already.
    func moveIntoFreePlace(_ neighbour: String) throws {
        // A link, unlike a rename, fails if the name has been taken meanwhile.
        try folder.link(neighbour, as: name)
        folder.remove(neighbour)
    }

    func remove(_ neighbour: String? = nil) { folder.remove(neighbour ?? name) }

    /// The status of what is there now; nil if nothing is.
    ///
    /// Anything but a file must not be replaced.
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

    /// Makes a folder, with all above it that isn't there.
    package static func make(_ path: String) throws {
        guard mkdir(path, 0o777) != 0 else { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            let parent = path.outerFolder
            guard !parent.isEmpty, parent != path else { throw FileError.system("mkdir", path, ENOENT) }
            try make(parent)
            // Somebody else may have made it meanwhile.
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError.system("mkdir", path) }
        default:
            throw FileError.system("mkdir", path)
        }
    }
}

extension String {
    /// Throws if the system would take it for a shorter path.
    func checkAsPath() throws {
        guard !utf8.contains(0) else {
            throw FileError(.notFileURL, rewriting { $0 == "\0" ? "\\0" : nil }, "the path holds a zero byte")
        }
    }

    /// The path that a chain of symbolic links at its end leads to, whether or not something is there.
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
