import Foundation
import SteplineSupport

/// Reads pipes as bytes come, on a thread of its own, until all of them are closed or it is stopped.
final class PipeReader: Sendable {
    /// A pipe to be read, and who takes what comes; called on the reader's thread alone.
    struct Line: Sendable {
        let descriptor: Int32
        let take: @Sendable (Data) -> Void
    }

    /// How often a reader that waits looks whether it is stopped, in milliseconds.
    private static let interval: Int32 = 50

    private let done = OneShot<Void>()
    private let isStopped = Locked(false)

    /// Reads from these descriptors, and closes them at the end.
    init(_ lines: [Line]) {
        Thread { [self] in
            read(lines)
            done.fulfill(())
        }.start()
    }

    /// Returns once nothing more comes.
    func waitForEnd() async { await done.value }

    /// Takes what is in the pipes by now, and waits for no more.
    func stop() { isStopped.withLock { $0 = true } }

    private func read(_ lines: [Line]) {
        var open = lines
        while !open.isEmpty {
            let wasStopped = isStopped.withLock { $0 }
            var polled = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let count = poll(&polled, nfds_t(polled.count), wasStopped ? 0 : Self.interval)
            // Nothing is left that was there when it was stopped.
            if wasStopped, count == 0 { break }
            for (line, state) in zip(open, polled) where state.revents != 0 {
                guard !Self.readSome(line) else { continue }
                close(line.descriptor)
                open.removeAll { $0.descriptor == line.descriptor }
            }
            // A child that goes on writing isn't followed for ever.
            if wasStopped { break }
        }
        for line in open { close(line.descriptor) }
    }

    /// Takes a piece; false at the end of the pipe.
    private static func readSome(_ line: Line) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(line.descriptor, &buffer, buffer.count)
        if count > 0 { line.take(Data(buffer[..<count])) }
        return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))
    }
}
