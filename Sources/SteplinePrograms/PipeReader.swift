import Foundation
import SteplineSupport

/// Reads pipes on a thread of its own until all are closed or the reader is stopped.
final class PipeReader: Sendable {
    /// A pipe to read, with the closure that receives its bytes on the reader's thread.
    struct Line: Sendable {
        let descriptor: Int32
        let take: @Sendable (Data) -> Void
    }

    /// The interval at which a waiting reader checks whether it is stopped, in milliseconds.
    private static let interval: Int32 = 50

    private let done = OneShot<Void>()
    private let isStopped = Locked(false)

    /// Starts reading from these descriptors; the reader closes them at the end.
    init(_ lines: [Line]) {
        Thread { [self] in
            read(lines)
            done.fulfill(())
        }.start()
    }

    /// Returns once the reader has ended.
    func waitForEnd() async { await done.value }

    /// Stops the reader after it has read the bytes that are already in the pipes.
    func stop() { isStopped.withLock { $0 = true } }

    private func read(_ lines: [Line]) {
        var open = lines
        while !open.isEmpty {
            let wasStopped = isStopped.withLock { $0 }
            var polled = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let count = poll(&polled, nfds_t(polled.count), wasStopped ? 0 : Self.interval)
            // All bytes that were in the pipes at the stop are read.
            if wasStopped, count == 0 { break }
            for (line, state) in zip(open, polled) where state.revents != 0 {
                guard !Self.readSome(line) else { continue }
                close(line.descriptor)
                open.removeAll { $0.descriptor == line.descriptor }
            }
            // Read only once after the stop: a child may keep writing.
            if wasStopped { break }
        }
        for line in open { close(line.descriptor) }
    }

    /// Reads a piece; returns false at the end of the pipe or after an error.
    private static func readSome(_ line: Line) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(line.descriptor, &buffer, buffer.count)
        if count > 0 { line.take(Data(buffer[..<count])) }
        return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))
    }
}
