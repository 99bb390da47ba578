import CPostgreSQL
import Foundation
import SteplineRuns
import SteplineSupport

/// The location of a server, and its display name without user and password.
struct Address: Sendable {
    /// The display name: `db.example.org:5433/runs`.
    let name: String
    private let text: String
    private let hosts: [String]
    private let ports: [String]
    /// The texts to remove from error messages.
    private let secrets: [String]

    /// Parses a connection string of libpq: a URL, or words such as `host=db dbname=runs`.
    init(_ text: String) throws {
        func refusal(_ detail: String) -> RunStoreError {
            RunStoreError(.unavailable, store: "PostgreSQL", detail)
        }
        // libpq is loaded at run time.
        guard cpg_is_there() else {
            throw refusal(
                "the library libpq isn't there: install it (libpq5 on Debian and Ubuntu, libpq of Homebrew)")
        }
        guard Self.isPlain(text) else {
            throw refusal(
                "the server's URL has a second @, or a / or ? before its @: in a user's name or a password "
                    + "they are written %40, %2F and %3F")
        }
        guard let words = Self.words(of: text) else {
            throw refusal("the server's URL can't be read; it is like postgresql://user@host:5432/database")
        }
        guard words[1].split(separator: ",").allSatisfy({ UInt16($0) != nil }) else {
            throw refusal("the port in the server's URL is no number")
        }
        self.text = text
        // Addresses have an order of their own, which must stay that of the hosts.
        hosts = text.contains("hostaddr") ? [] : words[0].parts(between: ",")
        ports = words[1].parts(between: ",")
        // The password as written may be percent-encoded: redact both forms.
        let written = Self.password(in: text).map { String(text.unicodeScalars[$0].dropFirst()) } ?? ""
        secrets = [words[3], written].filter { !$0.isEmpty }
        let port = words[1].isEmpty ? "" : ":\(words[1])"
        name = "\(words[0].isEmpty ? "localhost" : words[0])\(port)/\(words[2].isEmpty ? "-" : words[2])"
    }

    /// Returns host, port, database and password as libpq parses them, empty if missing; nil if it can't parse the
    /// text.
    private static func words(of text: String) -> [String]? {
        var host: UnsafeMutablePointer<CChar>?
        var port: UnsafeMutablePointer<CChar>?
        var database: UnsafeMutablePointer<CChar>?
        var password: UnsafeMutablePointer<CChar>?
        guard cpg_read_place(text, &host, &port, &database, &password) else { return nil }
        return [host, port, database, password].map { word in
            defer { free(word) }
            return word.map { String(cString: $0) } ?? ""
        }
    }

    /// Returns whether libpq parses the password as the user meant; otherwise parts of it could appear as a host name.
    private static func isPlain(_ text: String) -> Bool {
        guard let place = afterScheme(text) else { return true }
        guard let end = place.lastIndex(of: "@") else { return true }
        let before = place[..<end]
        if let question = before.firstIndex(of: "?") {
            // The @ may be part of a parameter.
            return before[question...].contains("=")
        }
        return !before.contains { $0 == "@" || $0 == "/" }
    }

    /// Returns the part of a URL after its scheme.
    private static func afterScheme(_ text: String) -> Substring.UnicodeScalarView? {
        let scalars = text.unicodeScalars
        return scalars.firstRange(of: "://".unicodeScalars).map { scalars[$0.upperBound...] }
    }

    /// Returns the range of the password in a URL, including the colon before it.
    private static func password(in text: String) -> Range<String.Index>? {
        guard let place = afterScheme(text), let end = place.firstIndex(of: "@"),
            let colon = place[..<end].firstIndex(of: ":")
        else { return nil }
        return colon..<end
    }

    /// Returns a URL without its password, for display.
    static func withoutPassword(_ url: String) -> String {
        var text = url
        if let password = password(in: url) { text.unicodeScalars.removeSubrange(password) }
        guard let (place, query) = text.halves(at: "?") else { return text }
        let parameters = query.parts(between: "&")
            .filter { !$0.isEmpty && !$0.lowercased().holds("password=") }
        return place + (parameters.isEmpty ? "" : "?") + parameters.joined(separator: "&")
    }

    /// The number of orders of the hosts, each of which begins with another host.
    var orders: Int { max(hosts.count, 1) }

    /// Returns the connection parameters for libpq, with the hosts in one of the orders.
    ///
    /// Parameters before `dbname` can be overridden by the URL; those behind it override the URL.
    func parameters(order: Int) -> [(String, String)] {
        var parameters = [
            ("fallback_application_name", "stepline"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "20000"), ("dbname", text),
            ("client_encoding", "UTF8"),
        ]
        guard order > 0 else { return parameters }
        func list(_ words: [String]) -> String {
            (words[order...] + words[..<order]).joined(separator: ",")
        }
        parameters.append(("host", list(hosts)))
        // One port is that of all hosts.
        if ports.count == hosts.count { parameters.append(("port", list(ports))) }
        return parameters
    }

    /// Creates the error of a failed connection.
    func refusal(_ complaint: String) -> ServerFailure {
        var line = Self.firstLine(complaint)
        for secret in secrets { line = line.rewriting(secret, as: "…") }
        // A message of the server contains its code: `FATAL:  28P01: password authentication failed for user "x"`.
        guard let match = line.firstMatch(of: /: +([0-9A-Z]{4}[0-9]): (.*)$/) else { return .lost(line) }
        return ServerFailure(code: String(match.1), message: String(match.2))
    }

    /// Returns the first nonempty line of a message.
    static func firstLine(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.first { !$0.isEmpty } ?? ""
    }
}
