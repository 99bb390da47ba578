import Foundation
import SteplineSupport

/// Finds out where a path really leads: through links that are there, dangling ones too, and without `..`.
enum PathResolver {
    private static let maximumLinks = 40

    /// The absolute path without links; nil if links lead in a circle, or the path holds a zero byte.
    ///
    /// What isn't there yet is taken as it is written.
    static func resolve(_ path: String, in directory: String) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        var pending = Array(components(absolute(path, in: directory)).reversed())
        var resolved: [String] = []
        var links = 0
        while let component = pending.popLast() {
            if component == ".." {
                _ = resolved.popLast()
                continue
            }
            let candidate = "/" + (resolved + [component]).joined(separator: "/")
            guard let target = destination(ofLink: candidate) else {
                resolved.append(component)
                continue
            }
            links += 1
            guard links <= maximumLinks else { return nil }
            if isAbsolute(target) { resolved = [] }
            pending += components(target).reversed()
        }
        return "/" + resolved.joined(separator: "/")
    }

    /// The path from the root of the file system, as it is written.
    static func absolute(_ path: String, in directory: String) -> String {
        isAbsolute(path) ? path : directory + "/" + path
    }

    static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    /// The names that a path consists of, but for those that lead nowhere.
    static func components(_ path: String) -> [String] {
        path.pathNames.filter { $0 != "." }
    }

    private static func destination(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0
            ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
