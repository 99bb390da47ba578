import Foundation
import SteplineSteps
import SteplineSupport

/// Appends whole lines to a file, never mixed with the lines of other users of this type.
///
/// All lines of a call are written under a file lock. After a failed write the file is truncated to its previous size,
/// unless a writer without the lock has appended meanwhile. A process that is killed may leave an incomplete line; the
/// next call ends that line first. On file systems without locks the lines are written without one.
struct FileAppender {
    /// The longest first line passed to the caller, in bytes.
    private static let longestHeader = 1 << 20
    /// The longest wait for the file lock.
    private static let patience = Duration.seconds(30)

    /// Serializes writers of this process, so that they don't poll for the file lock.
    private static let turn = Locked(false)

    private let path: String
    private let clock: any StepClock
    private let checkCancellation: () throws -> Void

    init(_ path: String, _ clock: any StepClock, checkCancellation: @escaping () throws -> Void) {
        self.path = path
        self.clock = clock
        self.checkCancellation = checkCancellation
    }

    /// Appends the lines that `lines` returns for the file's beginning, which is nil for an empty file.
    func append(_ lines: (_ beginning: Data?) throws -> Data) throws {
        try FolderMaker.make(path.outerFolder)
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND)
        guard try file.status().isRegularFile else {
            throw FileError(.notRegular, path, "not a regular file")
        }
        let end = clock.uptime + Self.patience
        while true {
            try checkCancellation()
            let isDone = try Self.turn.withLock { _ in
                guard file.claim() else { return false }
                // The step may have timed out since: a stopped append writes nothing.
                try checkCancellation()
                try write(lines, to: file)
                return true
            }
            if isDone { return try file.close() }
            guard clock.uptime < end else {
                throw FileError(.system, path, "another process has locked the file for \(Self.patience)")
            }
            // The lock belongs to another process, and no event reports its release: poll.
            usleep(5_000)
        }
    }

    private func write(_ lines: (_ beginning: Data?) throws -> Data, to file: OpenFile) throws {
        let size = Int64(try file.status().st_size)
        var beginning: Data?
        var isEnded = true
        if size > 0 {
            beginning = try file.read(at: 0, most: Self.longestHeader)
            isEnded = try file.read(at: size - 1, most: 1).first == UInt8(ascii: "\n")
        }
        let data = try (isEnded ? Data() : Data("\n".utf8)) + lines(beginning)
        guard !data.isEmpty else { return }
        do {
            try file.writeAll(data)
        } catch {
            takeBack(data, after: size, of: file)
            throw error
        }
    }

    /// Removes incompletely written lines, unless a writer without the lock has appended too.
    private func takeBack(_ data: Data, after size: Int64, of file: OpenFile) {
        guard let now = try? Int64(file.status().st_size), now > size, now - size <= data.count,
            let written = try? file.read(at: size, most: Int(now - size)), data.starts(with: written)
        else { return }
        try? file.cut(to: size)
    }
}

extension OpenFile {
    fileprivate func read(at place: Int64, most: Int) throws -> Data {
        var data = Data(count: most)
        let count = try data.withUnsafeMutableBytes { try read(into: $0, at: place) }
        return data.prefix(count)
    }
}
