import Foundation
import SteplineSupport

/// An open file for atomic writes from any thread.
struct OutputHandle: Sendable {
    let descriptor: Int32
    /// The name of the file in errors.
    private let name: String

    /// Whether the reader is gone; the lock also serializes writes, so that pieces don't mix.
    private let isBroken = Locked(false)

    /// The redactors applied to all output.
    private struct Redactors {
        /// Those of declared secrets, by origin.
        var ofPlaces: [String: SecretRedactor] = [:]
        /// Those of runs that a worker still has: their tasks may mask more values.
        var ofRuns: [Weak] = []

        struct Weak {
            weak var redactor: SecretRedactor?
        }

        var all: [SecretRedactor] {
            let places = Array(ofPlaces.values)
            let runs = ofRuns.compactMap(\.redactor).filter { run in !places.contains { $0 === run } }
            return (places + runs).filter { !$0.isEmpty }
        }
    }

    private let redactors = Locked(Redactors())

    /// Whether the descriptor was open at the start; otherwise its number may belong to a system resource.
    private let isFile: Bool

    init(descriptor: Int32, name: String? = nil) {
        self.descriptor = descriptor
        self.name = name ?? (descriptor == STDERR_FILENO ? "stderr" : "stdout")
        var status = stat()
        isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != 0
    }

    /// Whether the file is a terminal.
    var isTerminal: Bool { isatty(descriptor) != 0 }

    /// Hides secrets in all later output.
    ///
    /// Replaces the redactor of the same origin, which stays in use as long as its run has it.
    func hide(_ secrets: SecretRedactor, of place: String = "") {
        redactors.withLock { redactors in
            redactors.ofPlaces[place] = secrets
            redactors.ofRuns.removeAll { $0.redactor == nil }
            redactors.ofRuns.append(Redactors.Weak(redactor: secrets))
        }
    }

    /// Writes a text; throws an `OutputError`.
    func write(_ text: String) throws { try write(Data(text.utf8)) }

    /// Writes bytes; throws an `OutputError`.
    func write(_ data: Data) throws {
        var data = data
        for redactor in redactors.withLock({ $0.all }) {
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
                        // A terminal in non-blocking mode: wait until it accepts output.
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

    /// Occupies closed standard descriptors, so that no file opened later gets their numbers.
    ///
    /// The replacement is read-only: writing still fails.
    static func occupyClosed() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
