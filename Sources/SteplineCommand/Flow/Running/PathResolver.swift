import Foundation
import SteplineSupport

/// Resolves paths: follows links, also dangling ones, and removes `..`.
enum PathResolver {
    private static let maximumLinks = 40

    /// Returns the absolute path without links; nil for a link cycle or a zero byte.
    ///
    /// Missing parts stay as written.
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

    /// Returns the absolute path, with links unresolved.
    static func absolute(_ path: String, in directory: String) -> String {
        isAbsolute(path) ? path : directory + "/" + path
    }

    static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    /// Returns the names in a path, without `.`.
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
