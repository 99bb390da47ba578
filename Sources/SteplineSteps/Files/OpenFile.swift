package import Foundation
import SteplineRequests

/// An open file of the system's, closed when the last reference goes.
package final class OpenFile {
    package let path: String
    private var descriptor: Int32
    private var isClaimed = false

    /// Opens a file without ever waiting, as opening a pipe would, and without following into child processes.
    package init(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws {
        try path.checkAsPath()
        self.path = path
        descriptor = retryingIfInterrupted { open(path, flags | O_CLOEXEC | O_NONBLOCK, mode) }
        guard descriptor >= 0 else { throw FileError.system("open", path) }
    }

    /// Takes over a descriptor of an open file.
    init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        guard descriptor >= 0 else { return }
        letGo()
        _ = Foundation.close(descriptor)
    }

    package func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError.system("stat", path) }
        return status
    }

    /// Reads into the buffer; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = retryingIfInterrupted { Foundation.read(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw FileError.system("read", path) }
        return count
    }

    /// Reads from that place into the buffer, and leaves where the next read begins.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws -> Int {
        let count = retryingIfInterrupted {
            pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
        }
        guard count >= 0 else { throw FileError.system("read", path) }
        return count
    }

    /// Writes from the buffer, perhaps not all of it.
    func write(_ buffer: UnsafeRawBufferPointer) throws -> Int {
        let count = retryingIfInterrupted { Foundation.write(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw FileError.system("write", path) }
        return count
    }

    /// Cuts the file to so many bytes, and goes on behind them.
    package func cut(to count: Int64) throws {
        guard retryingIfInterrupted({ ftruncate(descriptor, off_t(count)) }) == 0,
            lseek(descriptor, off_t(count), SEEK_SET) >= 0
        else { throw FileError.system("truncate", path) }
    }

    /// Keeps others who ask for it away for as long as the file is open; false if somebody else does already.
    ///
    /// Where the file system knows no locks, nobody is kept away.
    package func claim() -> Bool {
        isClaimed = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        return isClaimed || errno != EWOULDBLOCK
    }

    /// Lets others have it though a program that is just being started may have the file open, too.
    private func letGo() {
        if isClaimed { _ = flock(descriptor, LOCK_UN) }
    }

    /// Writes all of it.
    package func writeAll(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = try write(rest)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// The file's bytes as a mapping of its pages.
    func map(_ count: Int) throws -> Data {
        guard let pages = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), pages != MAP_FAILED else {
            throw FileError.system("mmap", path)
        }
        return Data(bytesNoCopy: pages, count: count, deallocator: .unmap)
    }

    package func setMode(_ mode: mode_t) throws {
        guard fchmod(descriptor, mode) == 0 else { throw FileError.system("chmod", path) }
    }

    /// Waits until what was written is on the disk.
    func sync() throws {
        guard retryingIfInterrupted({ fsync(descriptor) }) == 0 else { throw FileError.system("sync", path) }
    }

    /// Throws the errors that some file systems report only when a file is closed, and keeps it open and locked.
    func settle() throws {
        try FileError.inCalls { try askForLateErrors(of: descriptor, path) }
    }

    /// Closes the file, with the errors that some file systems report only then.
    package func close() throws {
        defer { descriptor = -1 }
        letGo()
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

    /// What changes whenever the file is written to or replaced.
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
    /// The path of a file URL; throws a ``FileError`` for any other.
    func pathOfFile() throws -> String {
        guard isFileURL else { throw FileError(.notFileURL, scheme ?? "", "not a file URL") }
        return path(percentEncoded: false)
    }

    /// What is wrong with the URL where a file's is wanted, as the pipeline's check tells it.
    var problemsAsFile: [String] {
        isFileURL ? [] : ["a file URL is wanted, not one of the scheme \"\(scheme ?? "")\""]
    }
}
