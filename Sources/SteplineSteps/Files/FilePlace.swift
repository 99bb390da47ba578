import Foundation

/// Where a file is to be: its path with links resolved, and the neighbours it has on its way there.
struct FilePlace {
    /// The path of the file itself.
    let path: String

    init(_ path: String) throws {
        self.path = try path.followingLinks()
    }

    var directory: String {
        let directory = (path as NSString).deletingLastPathComponent
        return directory.isEmpty ? "." : directory
    }

    /// A path beside it that nobody else uses.
    var temporaryNeighbour: String {
        "\(directory)/.stepline-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    }

    /// The path of a hidden neighbour that belongs to the file, always the same.
    func neighbour(_ suffix: String) -> String {
        "\(directory)/.\((path as NSString).lastPathComponent).\(suffix)"
    }

    func makeDirectory() throws { try make(directory) }

    func syncDirectory() throws { try OpenFile(directory, O_RDONLY | O_DIRECTORY).sync() }

    /// The status of what is there now; nil if nothing is.
    ///
    /// Anything but a file must not be replaced.
    func existingStatus() throws -> stat? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError.system("stat", path) }
            return nil
        }
        guard status.isRegularFile else {
            throw FileError(.notRegular, path, "not a regular file")
        }
        return status
    }

    private func make(_ path: String) throws {
        guard mkdir(path, 0o777) != 0 else { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            let parent = (path as NSString).deletingLastPathComponent
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
    /// The path that a chain of symbolic links at its end leads to, whether or not something is there.
    fileprivate func followingLinks() throws -> String {
        guard !utf8.contains(0) else {
            throw FileError(.notFileURL, replacing("\0", with: "\\0"), "the path holds a zero byte")
        }
        var path = self
        for _ in 0..<40 {
            guard let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                return path
            }
            let directory = (path as NSString).deletingLastPathComponent
            path = destination.hasPrefix("/") ? destination : "\(directory)/\(destination)"
        }
        throw FileError.system("open", self, ELOOP)
    }
}
