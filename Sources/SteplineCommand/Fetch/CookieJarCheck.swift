import Foundation

/// Whether a file may be a jar, which is written anew: lines in it that are no cookies would be gone.
enum CookieJarCheck {
    /// What begins a jar, as Netscape, curl and we ourselves write it.
    private static let headings = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"]

    /// Throws if there is a file that is something else than a jar.
    static func check(_ url: URL, named name: String) throws(UsageError) {
        let path = url.path(percentEncoded: false)
        var status = stat()
        // What is no file, or can't be read, the load tells.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard let beginning = try? file.read(upToCount: 1 << 16), !beginning.isEmpty else { return }
        guard isJar(String(decoding: beginning, as: UTF8.self)) else {
            throw UsageError("--cookies \(name): there is a file already that holds no cookies")
        }
    }

    private static func isJar(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
            || lines.contains { line in headings.contains { line.hasPrefix($0) } || isCookie(line) }
    }

    /// Domain, whether it is for hosts below, path, whether it is for TLS, time, name and value.
    private static func isCookie(_ line: Substring) -> Bool {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return (6...7).contains(fields.count) && Int64(fields[4]) != nil
    }
}
