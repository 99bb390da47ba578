import Foundation
import SteplineRequests
import SteplineSupport

/// Reads the inputs of `fetch`: URLs, headers and the request body.
enum FetchSource {
    /// Returns the URLs of the command line, then those of the lists; throws an error for the first invalid one.
    static func urls(_ arguments: Arguments, _ session: Session) throws(UsageError) -> [URL] {
        var urls: [URL] = []
        for text in arguments.operands {
            guard let url = url(text) else { throw UsageError("'\(text)' is no URL that can be fetched") }
            urls.append(url)
        }
        for name in arguments.all(.input) {
            let list = String(decoding: try read(name, for: "--input", session), as: UTF8.self)
            for (number, line) in list.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .enumerated()
            {
                let text = Self.trimmed(line)
                if text.isEmpty || text.hasPrefix("#") { continue }
                guard let url = url(text) else {
                    throw UsageError("\(name), line \(number + 1): '\(text)' is no URL that can be fetched")
                }
                urls.append(url)
            }
        }
        // An empty list isn't an error: a script may have nothing to fetch.
        if urls.isEmpty, arguments.all(.input).isEmpty { throw UsageError("URL is missing") }
        return urls
    }

    /// Returns a line without whitespace at its ends.
    private static func trimmed(_ line: Substring) -> String {
        func isVisible(_ byte: UInt8?) -> Bool { byte.map { 33...126 ~= $0 } ?? true }
        // Most lines have none: Foundation's method takes longer than reading the URL.
        return isVisible(line.utf8.first) && isVisible(line.utf8.last)
            ? String(line) : line.trimmingCharacters(in: .whitespaces)
    }

    /// Returns the input files, which must not be overwritten.
    static func files(_ arguments: Arguments, _ session: Session) -> [NamedFile] {
        let lists = arguments.all(.input).filter { $0 != "-" }.map { NamedFile("--input", session.place($0)) }
        var body: [NamedFile] = []
        if let text = arguments[.data], text.hasPrefix("@"), text != "@-" {
            body = [NamedFile("--data", session.place(String(text.dropFirst())))]
        }
        let certificates = [Option.caCert, .cert, .certKey].flatMap { option in
            arguments.all(option).map { NamedFile("--\(option.row.name)", session.place($0)) }
        }
        let headers = arguments.all(.header).filter { $0.hasPrefix("@") && $0 != "@-" }.map {
            NamedFile("--header", session.place(String($0.dropFirst())))
        }
        return lists + body + headers + certificates
    }

    /// Returns the headers; those of `@FILE` come from a file, which unlike arguments is hidden from other users.
    static func headers(_ arguments: Arguments, _ session: Session) throws(UsageError) -> [String: String] {
        var headers: [String: String] = [:]
        for text in arguments.all(.header) {
            guard text.hasPrefix("@") else {
                guard let (name, value) = header(text) else {
                    throw UsageError("--header needs 'NAME: VALUE', not '\(Session.oneLine(text))'")
                }
                headers[name] = value
                continue
            }
            let file = String(text.dropFirst())
            let lines = String(decoding: try read(file, for: "--header", session), as: UTF8.self)
            for (number, line) in lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .enumerated()
            where !line.allSatisfy(\.isWhitespace) {
                // The line may contain a secret: name its number only.
                guard let (name, value) = header(String(line)) else {
                    throw UsageError("--header: \(file), line \(number + 1) is no 'NAME: VALUE'")
                }
                headers[name] = value
            }
        }
        return headers
    }

    private static func header(_ line: String) -> (name: String, value: String)? {
        guard let halves = line.halves(at: ":"), !line.unicodeScalars.contains(where: \.isControl) else {
            return nil
        }
        let name = halves.before.trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? nil : (name, halves.after.trimmingCharacters(in: .whitespaces))
    }

    /// Returns the request body.
    static func body(_ arguments: Arguments, _ session: Session) throws(UsageError) -> RequestBody {
        guard let text = arguments[.data] else { return .none }
        let type = "application/x-www-form-urlencoded"
        if text == "@-" { return .data(try read("-", for: "--data", session), type: type) }
        if text.hasPrefix("@") {
            let file = session.place(String(text.dropFirst()))
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw UsageError("--data: \(text.dropFirst()) can't be read")
            }
            return .file(file, type: type)
        }
        return .data(Data(text.utf8), type: type)
    }

    /// Returns the URL of a text; https is the default scheme.
    static func url(_ text: String) -> URL? {
        let isComplete = text.holds("://") || text.lowercased().hasPrefix("data:")
        guard let url = URL(string: isComplete ? text : "https://" + text),
            let scheme = url.scheme?.lowercased()
        else { return nil }
        switch scheme {
        case "http", "https": return url.host().map { !$0.isEmpty } == true ? url : nil
        case "file", "data": return url
        default: return nil
        }
    }

    private static func read(
        _ name: String, for option: String, _ session: Session
    ) throws(UsageError) -> Data {
        do {
            if name == "-" { return try session.input.readToEnd() ?? Data() }
            return try Data(contentsOf: session.place(name))
        } catch {
            throw UsageError("\(option): \(name) can't be read")
        }
    }
}
