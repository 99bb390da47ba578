package import Foundation
import SteplineRequests

/// An open file, closed when the last reference is released.
package final class OpenFile {
    package let path: String
    private var descriptor: Int32
    private var isClaimed = false

    /// Opens a file without blocking on pipes; child processes don't inherit it.
    package init(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws {
        try path.checkAsPath()
        self.path = path
        descriptor = retryingIfInterrupted { open(path, flags | O_CLOEXEC | O_NONBLOCK, mode) }
        guard descriptor >= 0 else { throw FileError.system("open", path) }
    }

    /// Takes ownership of an open descriptor.
    init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        guard descriptor >= 0 else { return }
        release()
        _ = Foundation.close(descriptor)
    }

    package func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError.system("stat", path) }
        return status
    }

    /// Reads into a buffer; returns 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = retryingIfInterrupted { Foundation.read(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw FileError.system("read", path) }
        return count
    }

    /// Reads at an offset without moving the position of the next read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws -> Int {
        let count = retryingIfInterrupted {
            pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
        }
        guard count >= 0 else { throw FileError.system("read", path) }
        return count
    }

    /// Writes from a buffer; may write only a part.
    func write(_ buffer: UnsafeRawBufferPointer) throws -> Int {
        let count = retryingIfInterrupted { Foundation.write(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw FileError.system("write", path) }
        return count
    }

    /// Truncates the file and moves the position to its end.
    package func cut(to count: Int64) throws {
        guard retryingIfInterrupted({ ftruncate(descriptor, off_t(count)) }) == 0,
            lseek(descriptor, off_t(count), SEEK_SET) >= 0
        else { throw FileError.system("truncate", path) }
    }

    /// Locks the file exclusively while it is open; returns false if another process holds the lock.
    ///
    /// Returns true without a lock if the file system doesn't support locks.
    package func claim() -> Bool {
        isClaimed = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        return isClaimed || errno != EWOULDBLOCK
    }

    /// Releases the lock explicitly, since a child process that is being started may also have the file open.
    private func release() {
        if isClaimed { _ = flock(descriptor, LOCK_UN) }
    }

    /// Writes all data.
    package func writeAll(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = try write(rest)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Returns the content as a memory mapping.
    func map(_ count: Int) throws -> Data {
        guard let pages = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), pages != MAP_FAILED else {
            throw FileError.system("mmap", path)
        }
        return Data(bytesNoCopy: pages, count: count, deallocator: .unmap)
    }

    package func setMode(_ mode: mode_t) throws {
        guard fchmod(descriptor, mode) == 0 else { throw FileError.system("chmod", path) }
    }

    /// Blocks until written data is on the disk.
    func sync() throws {
        #if canImport(Darwin)
            // On Darwin `fsync` leaves data in the disk's cache. Some file systems don't support `F_FULLFSYNC`.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard retryingIfInterrupted({ fsync(descriptor) }) == 0 else { throw FileError.system("sync", path) }
    }

    /// Throws errors that some file systems report only on close, and keeps the file open and locked.
    func settle() throws {
        try FileError.inCalls { try askForLateErrors(of: descriptor, path) }
    }

    /// Closes the file; throws errors that some file systems report only now.
    package func close() throws {
        defer { descriptor = -1 }
        release()
        guard Foundation.close(descriptor) == 0 || errno == EINTR else {
            throw FileError.system("close", path)
        }
    }
}

private func retryingIfInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

extension stat {
    package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    package var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
    package var permissions: mode_t { st_mode & 0o7777 }

    /// A text that changes whenever the file is written or replaced.
    var mark: String {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return "\(st_ino)-\(st_size)-\(time.tv_sec).\(time.tv_nsec)"
    }
}

extension URL {
    /// Returns the path of a file URL; throws a ``FileError`` for other URLs.
    func pathOfFile() throws -> String {
        guard isFileURL else { throw FileError(.notFileURL, scheme ?? "", "not a file URL") }
        return path(percentEncoded: false)
    }

    /// The error if the URL isn't a file URL, for the pipeline's check.
    var problemsAsFile: [String] {
        isFileURL ? [] : ["a file URL is expected, not one of the scheme \"\(scheme ?? "")\""]
    }
}
