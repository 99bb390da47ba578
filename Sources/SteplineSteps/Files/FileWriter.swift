import Foundation

/// Writes bytes to a file such that a failure leaves no half of it behind.
struct FileWriter {
    private static let chunk = 4 << 20

    /// The file itself, with links resolved.
    private let target: String
    private let options: FileSaveOptions
    private let checkCancellation: () throws -> Void

    init(_ path: String, _ options: FileSaveOptions, checkCancellation: @escaping () throws -> Void) throws {
        target = try path.followingLinks()
        self.options = options
        self.checkCancellation = checkCancellation
    }

    private var directory: String {
        let path = (target as NSString).deletingLastPathComponent
        return path.isEmpty ? "." : path
    }

    func write(_ data: Data) throws {
        if options.createsDirectories { try makeDirectory(directory) }
        let old = try existingStatus()
        if old != nil, !options.replaces { throw alreadyExists }
        if options.isAtomic {
            try replace(old, with: data)
        } else {
            try overwrite(data)
        }
        if options.sync == .fileAndDirectory { try OpenFile(directory, O_RDONLY | O_DIRECTORY).sync() }
    }

    /// Writes a neighbour and moves it into place when it is whole.
    private func replace(_ old: stat?, with data: Data) throws {
        let temporary = "\(directory)/.stepline-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do {
            if let old { try file.setMode(old.permissions) }
            try writeAll(data, to: file)
            try checkCancellation()
            try moveIntoPlace(temporary)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func moveIntoPlace(_ temporary: String) throws {
        if options.replaces {
            guard rename(temporary, target) == 0 else { throw FileError.system("rename", target) }
            return
        }
        // A link, unlike a rename, fails if the name has been taken meanwhile.
        guard link(temporary, target) == 0 else {
            throw errno == EEXIST ? alreadyExists : FileError.system("link", target)
        }
        unlink(temporary)
    }

    private func overwrite(_ data: Data) throws {
        let isNew: Bool
        let file: OpenFile
        do {
            file = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL)
            isNew = true
        } catch let error as FileError where error.isExistingFile {
            guard options.replaces else { throw alreadyExists }
            file = try OpenFile(target, O_WRONLY | O_TRUNC)
            isNew = false
        }
        do {
            try writeAll(data, to: file)
        } catch {
            if isNew { unlink(target) }
            throw error
        }
    }

    private func writeAll(_ data: Data, to file: OpenFile) throws {
        try data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                try checkCancellation()
                let end = min(bytes.count, written + Self.chunk)
                written += try file.write(.init(rebasing: bytes[written..<end]))
            }
        }
        if options.sync != .none { try file.sync() }
        try file.close()
    }

    /// The status of what is there now; nil if nothing is.
    ///
    /// Anything but a file must not be replaced.
    private func existingStatus() throws -> stat? {
        var status = stat()
        guard stat(target, &status) == 0 else {
            guard errno == ENOENT else { throw FileError.system("stat", target) }
            return nil
        }
        guard status.isRegularFile else {
            throw FileError(.notRegular, target, "not a regular file")
        }
        return status
    }

    private func makeDirectory(_ path: String) throws {
        guard mkdir(path, 0o777) != 0 else { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            let parent = (path as NSString).deletingLastPathComponent
            guard !parent.isEmpty, parent != path else { throw FileError.system("mkdir", path, ENOENT) }
            try makeDirectory(parent)
            // Somebody else may have made it meanwhile.
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError.system("mkdir", path) }
        default:
            throw FileError.system("mkdir", path)
        }
    }

    private var alreadyExists: FileError { FileError(.exists, target, "exists already") }
}

extension FileError {
    fileprivate var isExistingFile: Bool { (underlying as? POSIXError)?.code == .EEXIST }
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
