import Foundation

/// Checks that an existing file is a cookie jar before it is overwritten.
enum CookieJarCheck {
    /// The first lines of cookie jars by Netscape, curl and this program.
    private static let headings = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"]

    /// Throws an error if the file exists and isn't a cookie jar.
    static func check(_ url: URL, named name: String) throws(UsageError) {
        let path = url.path(percentEncoded: false)
        var status = stat()
        // Other errors, such as missing permission, are reported by the load.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard let beginning = try? file.read(upToCount: 1 << 16), !beginning.isEmpty else { return }
        guard isJar(String(decoding: beginning, as: UTF8.self)) else {
            throw UsageError("--cookies \(name): the file exists and isn't a cookie file")
        }
    }

    private static func isJar(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
            || lines.contains { line in headings.contains { line.hasPrefix($0) } || isCookie(line) }
    }

    /// Returns whether a line has the fields domain, subdomains, path, secure, expiry, name and value.
    private static func isCookie(_ line: Substring) -> Bool {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return (6...7).contains(fields.count) && Int64(fields[4]) != nil
    }
}
