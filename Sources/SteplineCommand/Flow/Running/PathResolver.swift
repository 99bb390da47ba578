import Foundation

/// Finds out where a path really leads: through links that are there, dangling ones too, and without `..`.
enum PathResolver {
    private static let maximumLinks = 40

    /// The absolute path without links; nil if links lead in a circle, or the path holds a zero byte.
    ///
    /// What isn't there yet is taken as it is written.
    static func resolve(_ path: String, in directory: String) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        var pending = components(path.hasPrefix("/") ? path : directory + "/" + path)
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
            if target.hasPrefix("/") { resolved = [] }
            pending += components(target)
        }
        return "/" + resolved.joined(separator: "/")
    }

    /// The parts of a path, last first.
    private static func components(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
    }

    private static func destination(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0
            ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
