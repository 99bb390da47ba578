import Foundation
import SteplineSupport

/// An open file that is written to piece by piece, each piece whole; from any thread.
struct OutputHandle: Sendable {
    let descriptor: Int32
    /// The file's name in errors.
    private let name: String

    /// Whether its reader has gone; who writes has the lock, so that each piece is whole.
    private let isBroken = Locked(false)

    /// What takes secrets out of all that is written, by what they were read for.
    private let redactors = Locked<[String: SecretRedactor]>([:])

    /// Whether it is a file at all: where it was closed, its number may be that of a system's queue by now.
    private let isFile: Bool

    init(descriptor: Int32, name: String? = nil) {
        self.descriptor = descriptor
        self.name = name ?? (descriptor == STDERR_FILENO ? "stderr" : "stdout")
        var status = stat()
        isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != 0
    }

    /// Whether it is a terminal.
    var isTerminal: Bool { isatty(descriptor) != 0 }

    /// Takes these secrets out of all that is written from now on, in place of earlier ones that were read for the same.
    func hide(_ secrets: SecretRedactor, of place: String = "") {
        redactors.withLock { $0[place] = secrets.isEmpty ? nil : secrets }
    }

    /// Writes a text; throws an `OutputError`.
    func write(_ text: String) throws { try write(Data(text.utf8)) }

    /// Writes bytes; throws an `OutputError`.
    func write(_ data: Data) throws {
        var data = data
        for redactor in redactors.withLock({ Array($0.values) }) {
            data = redactor.redacted(Array(data)).map { Data($0) } ?? data
        }
        try isBroken.withLock { isBroken in
            if isBroken { throw error(.EPIPE) }
            if !isFile { throw error(.EBADF) }
            try data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = UnsafeRawBufferPointer(rebasing: rest)
                    let count = systemWrite(descriptor, piece.baseAddress, piece.count)
                    if count >= 0 {
                        rest = rest.dropFirst(count)
                    } else if errno == EAGAIN {
                        // A terminal that somebody has made non-blocking.
                        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&waiting, 1, -1)
                    } else if errno != EINTR {
                        let error = error(POSIXErrorCode(rawValue: errno) ?? .EIO)
                        isBroken = error.isReaderGone
                        throw error
                    }
                }
            }
        }
    }
}

extension OutputHandle {
    private func error(_ code: POSIXErrorCode) -> OutputError {
        OutputError(name: name, code: code)
    }

    /// Makes sure that no file opened later gets the number of a standard one that was closed.
    ///
    /// What is opened in its place can be read only, so that writing is the error that it would have been.
    static func occupyClosed() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
