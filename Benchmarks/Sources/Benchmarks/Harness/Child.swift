import Foundation

/// Measurements of memory, each in a fresh process: what one leaves behind must not count for the next.
enum Child {
    /// Runs this program again with a task of its own, and returns the numbers it prints.
    static func numbers(_ task: String, _ arguments: [String] = []) throws -> [Double] {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--child", task] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ChildFailed(task: task) }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
            Double($0)
        }
    }
}

struct ChildFailed: Error {
    let task: String
}
