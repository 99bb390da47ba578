import Foundation

/// A program in C++ that does the same with a library of others; built when it is first asked for.
struct Rival: Sendable {
    /// Where the program is; nil if it can't be built.
    private let program: URL?

    /// Builds `Rivals/<name>.cpp`; without the library's header the rival is left out, which is said once.
    init(_ name: String, header: String, library: String, package: String) {
        let built = Results.folder.appending(path: ".build/\(name)")
        let source = Results.folder.appending(path: "Rivals/\(name).cpp").path
        let paths = ["/opt/homebrew", "/usr/local"].filter { FileManager.default.fileExists(atPath: $0) }
        let search = paths.flatMap { ["-I\($0)/include", "-L\($0)/lib"] }
        let hasLibrary = Self.output(
            of: "/usr/bin/c++",
            search.filter { $0.hasPrefix("-I") } + ["-E", "-include", header, "-x", "c++", "/dev/null"],
            quietly: true)
        guard hasLibrary != nil else {
            say("left out: \(name), as \(package) isn't installed")
            program = nil
            return
        }
        let arguments =
            ["-O2", "-std=c++17", source, "-o", built.path] + search + ["-l\(library)", "-pthread"]
        program = Self.output(of: "/usr/bin/c++", arguments) == nil ? nil : built
    }

    /// The numbers that the program prints; none where there is no such program.
    func numbers(_ arguments: [String]) -> [Double] {
        guard let program, let text = Self.output(of: program.path, arguments) else { return [] }
        return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }

    private static func output(of program: String, _ arguments: [String], quietly: Bool = false) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        if quietly { process.standardError = FileHandle.nullDevice }
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
