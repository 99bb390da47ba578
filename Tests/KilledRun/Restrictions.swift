import Foundation
import SteplineRuns

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Restrictions of a process.
enum Restrictions {
    /// No file grows beyond that size: to whoever writes, it is as if the disk were full.
    static func limitFiles(to bytes: UInt64) {
        // Else the signal would end the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }

    /// Looks at a store with no right to write it, and tries to.
    static func look(at path: String) throws {
        // Root may write everything: go on as nobody.
        if geteuid() == 0 {
            setgid(65_534)
            setuid(65_534)
        }
        do {
            let store: any RunStore = try .file(path)
            let id = RunID("random", key: "k")
            var count = 0
            try store.forEachStep(of: id) { _ in count += 1 }
            print("steps \(count)")
            _ = try store.open(id, input: nil, as: RunOwner(since: Date()), at: Date())
            print("opened")
        } catch {
            print("error \(words(for: error))")
        }
    }

    /// The code of a store's error, and its text.
    static func words(for error: any Error) -> String {
        (error as? RunStoreError).map { "store \($0.code): \($0)" } ?? "\(error)"
    }
}
