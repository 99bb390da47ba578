import Foundation

/// The machine that the figures were measured on.
enum Machine {
    static var description: String {
        let info = ProcessInfo.processInfo
        let memory = Int((Double(info.physicalMemory) / 1e9).rounded())
        return [
            "\(processor), \(info.activeProcessorCount) cores", "\(memory) GB",
            info.operatingSystemVersionString, compiler,
        ].joined(separator: "; ")
    }

    private static var processor: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
        let model = lines?.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "an unnamed processor"
    }

    private static var compiler: String {
        #if compiler(>=6.4)
            "Swift 6.4 or later"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #elseif compiler(>=6.2)
            "Swift 6.2"
        #else
            "Swift 6.1"
        #endif
    }
}
