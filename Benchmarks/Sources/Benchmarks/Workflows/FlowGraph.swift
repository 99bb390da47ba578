import Foundation

/// The rival: oneTBB's flow graph, a C++ program that is built when its library is installed (`libtbb-dev`).
enum FlowGraph {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where the program is; nil if it can't be built.
    static let program: URL? = {
        let built = folder.appending(path: ".build/flowgraph")
        let source = folder.appending(path: "Rivals/flowgraph.cpp").path
        let arguments = ["-O2", "-std=c++17", source, "-o", built.path, "-ltbb", "-pthread"]
        return output(of: URL(filePath: "/usr/bin/g++"), arguments) == nil ? nil : built
    }()

    /// Nanoseconds a task to build and to run a shape.
    static func timing(_ shape: Shape, _ count: Int) -> WorkflowTiming? {
        guard let program, let text = output(of: program, [shape.rawValue, "\(count)"]) else { return nil }
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        return numbers.count == 2 ? WorkflowTiming(build: numbers[0], run: numbers[1]) : nil
    }

    private static func output(of program: URL, _ arguments: [String]) -> String? {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
