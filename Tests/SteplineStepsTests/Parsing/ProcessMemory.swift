#if os(Linux)
    import Foundation

    /// The memory of this process, in bytes.
    enum ProcessMemory {
        static var now: Int { status("VmRSS") }
        static var peak: Int { status("VmHWM") }

        /// Whether nobody else's memory counts, such as a sanitizer's.
        static let isItsOwn = !["__tsan_init", "__asan_init"].contains { name in
            name.withCString { dlsym(nil, $0) != nil }
        }

        private static func status(_ field: String) -> Int {
            let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
            return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
        }
    }
#endif
