import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Processes that know each other by their numbers: those of one machine since it was started, or of one container.
struct ProcessSpace: Sendable {
    /// What no other has.
    let text: String

    /// That of this process; nil where the system doesn't tell it.
    static let own: ProcessSpace? = {
        guard let start = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return ProcessSpace(text: "\(start.trimmingCharacters(in: .whitespacesAndNewlines)) \(space)")
    }()

    /// Whether a process of that space has ended for sure; one of another space isn't known here.
    func hasEnded(_ process: Int, in space: String?) -> Bool {
        guard space == text, process > 0, let process = pid_t(exactly: process) else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
