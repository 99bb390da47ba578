import Foundation
import SteplineSteps
import SteplineSupport

/// Copies or moves a file; never overwrites unless requested.
struct FileTransfer {
    private static let chunk = 1 << 20

    private let source: String
    private let goal: String
    private let replaces: Bool
    private let isRequired: Bool
    private let checkCancellation: () throws -> Void

    init(
        from source: String, to goal: String, replaces: Bool, isRequired: Bool,
        checkCancellation: @escaping () throws -> Void
    ) {
        self.source = source
        self.goal = goal
        self.replaces = replaces
        self.isRequired = isRequired
        self.checkCancellation = checkCancellation
    }

    /// Copies a file atomically.
    func copy() throws {
        var status = stat()
        guard stat(source, &status) == 0 else { return try missing("copy") }
        guard status.isRegularFile else {
            let what = status.isFolder ? "a folder, and copy takes files" : "not a regular file"
            throw FileError(.notRegular, source, what)
        }
        try checkIsAnother(status)
        try copyFile()
    }

    /// Moves a file, a folder or a link; copies a file to another file system.
    func move() throws {
        var status = stat()
        guard lstat(source, &status) == 0 else { return try missing("move") }
        try checkIsAnother(status)
        try FolderMaker.make(goal.outerFolder)
        // Unlike `rename`, `link` never replaces `goal`. Some file systems have no hard links.
        let mayLink = !replaces && !status.isFolder
        let isLinked = mayLink && Self.makeLink(to: source, at: goal) == 0
        if mayLink, !isLinked, errno == EEXIST { throw FileError(.exists, goal, "exists already") }
        if !isLinked {
            try checkPlace(for: status)
            if rename(source, goal) == 0 { return }
            guard errno == EXDEV, status.isRegularFile else {
                throw FileError.system("move", errno == ENOENT ? source : goal)
            }
            try copyFile()
        }
        guard unlink(source) == 0 else { throw FileError.system("delete", source) }
    }

    /// Creates a second name for a file, or for a symbolic link itself; returns 0 on success.
    private static func makeLink(to source: String, at goal: String) -> Int32 {
        #if canImport(Darwin)
            // Darwin's `link` follows symbolic links; without a flag, `linkat` doesn't.
            linkat(AT_FDCWD, source, AT_FDCWD, goal, 0)
        #else
            link(source, goal)
        #endif
    }

    private func copyFile() throws {
        let file = try OpenFile(source, O_RDONLY)
        let status = try file.status()
        var options = FileSaveOptions()
        options.replaces = replaces
        let writer = try FileWriter(goal, options, checkCancellation: checkCancellation)
        try writer.write { copy in
            try copy.setMode(status.permissions)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                try checkCancellation()
                let count = try file.read(into: buffer)
                guard count > 0 else { return }
                try copy.writeAll(Data(buffer[..<count]))
            }
        }
    }

    /// Throws an error if the target exists and must not or can't be replaced.
    private func checkPlace(for status: stat) throws {
        var other = stat()
        guard lstat(goal, &other) == 0 else { return }
        guard replaces else { throw FileError(.exists, goal, "exists already") }
        guard !other.isFolder, !status.isFolder else {
            throw FileError(.exists, goal, "folders can't be replaced or replace anything")
        }
    }

    private func checkIsAnother(_ status: stat) throws {
        guard source != goal else { throw FileError(.exists, goal, "is the file itself") }
        // Renaming one hard link of a file to another one succeeds without effect.
        var other = stat()
        guard replaces, lstat(goal, &other) == 0, other.st_dev == status.st_dev,
            other.st_ino == status.st_ino
        else { return }
        throw FileError(.exists, goal, "is the file itself, under another name")
    }

    private func missing(_ call: String) throws {
        guard errno == ENOENT, !isRequired else { throw FileError.system(call, source) }
    }
}
