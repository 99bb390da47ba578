import Foundation

/// A file that is being written, and then made to last.
final class SyncedFile {
    private let descriptor: Int32

    /// Makes a file that only its owner may read; there must be none.
    init(creating path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("open") }
    }

    private init(opening path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("open") }
    }

    deinit { close(descriptor) }

    /// How much is given to the system in one call: not every system takes more than 2 GB.
    private static let greatestPiece = 1 << 30

    /// Appends bytes; behind `limit` of them the disk counts as full.
    func write(_ bytes: UnsafeRawBufferPointer, limit: Int = .max) throws {
        var rest = bytes.prefix(limit)
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.greatestPiece))
            #if canImport(Darwin)
                let written = Darwin.write(descriptor, piece.baseAddress, piece.count)
            #elseif canImport(Musl)
                let written = Musl.write(descriptor, piece.baseAddress, piece.count)
            #else
                let written = Glibc.write(descriptor, piece.baseAddress, piece.count)
            #endif
            if written < 0 {
                guard errno == EINTR else { throw SystemFailure("write") }
            } else {
                rest = rest.dropFirst(written)
            }
        }
        if bytes.count > limit { throw SystemFailure("write", ENOSPC) }
    }

    /// Returns when what was written is on the disk.
    func sync() throws {
        #if canImport(Darwin)
            // There, fsync leaves it in the disk's own memory.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw SystemFailure("fsync") }
    }

    /// Makes the names in a folder last.
    static func syncFolder(_ path: String) throws {
        let folder = try SyncedFile(opening: path)
        // Some file systems have nothing to do for folders, and say so.
        do { try folder.sync() } catch let failure as SystemFailure where failure.number == EINVAL {}
    }
}
