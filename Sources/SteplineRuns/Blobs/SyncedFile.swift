import Foundation

/// A file that is written once and then synchronized to the disk.
final class SyncedFile {
    private let descriptor: Int32

    /// Creates a file that only its owner may read; fails if it exists.
    init(creating path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("open") }
    }

    private init(opening path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("open") }
    }

    deinit { close(descriptor) }

    /// The largest write in one system call: some systems refuse more than 2 GB.
    private static let greatestPiece = 1 << 30

    /// Appends bytes; behaves like a full disk after `limit` bytes.
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
                // A write may be partial.
                rest = rest.dropFirst(written)
            }
        }
        // The allowed part is on the disk, as on a disk that really is full.
        if bytes.count > limit { throw SystemFailure("write", ENOSPC) }
    }

    /// Returns when all written bytes are on the disk.
    func sync() throws {
        #if canImport(Darwin)
            // On Apple's systems fsync leaves data in the disk's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw SystemFailure("fsync") }
    }

    /// Makes created and renamed files of a folder durable.
    static func syncFolder(_ path: String) throws {
        let folder = try SyncedFile(opening: path)
        // Some file systems don't synchronize folders and report EINVAL.
        do { try folder.sync() } catch let failure as SystemFailure where failure.number == EINVAL {}
    }
}
