import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A set of processes with common process identifiers: those of one machine since its start, or of one container.
struct ProcessSpace: Sendable {
    /// The unique identifier of the space.
    let text: String

    /// The space of this process; nil if the system doesn't provide it.
    static let own: ProcessSpace? = {
        // The boot identifier changes at each start of the machine, so that a reused process number isn't taken for the
        // old one.
        guard let start = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return ProcessSpace(text: "\(start.trimmingCharacters(in: .whitespacesAndNewlines)) \(space)")
    }()

    /// Returns whether a process has certainly ended; false for a process of another space.
    func hasEnded(_ process: Int, in space: String?) -> Bool {
        guard space == text, process > 0, let process = pid_t(exactly: process) else { return false }
        // Signal 0 only checks for existence. EPERM means that the process exists under another user.
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
