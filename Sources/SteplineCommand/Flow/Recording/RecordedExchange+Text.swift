import Foundation
import SteplineSupport

/// The file format of an exchange:
///
///     POST https://example.com/orders
///     Content-Type: application/json
///     > {"count":1}
///
///     200
///     Content-Type: application/json
///
///     {"id":7}
///
/// Everything after the empty line of the response is its body, byte for byte. Lines with `>` are the request's body. A
/// line with `!`, a code and a text is the error that ended the response or replaced it.
extension RecordedExchange {
    /// A syntax error, with its line.
    struct Mistake: Error {
        let line: Int
        let text: String
    }

    var file: Data {
        var lines = [request.line] + request.headers.map(\.line)
        switch request.body {
        case .none: break
        case .text(let text):
            lines += text.parts(between: "\n").map { "> \($0)" }
        case .digest(let digits, let count): lines.append(">sha256 \(digits) \(count)")
        }
        lines.append("")
        if let status = answer.status { lines += ["\(status)"] + answer.headers.map(\.line) }
        if let failure = answer.failure { lines.append("! \(failure.code) \(Session.oneLine(failure.text))") }
        lines.append("")
        return Data(lines.map { $0 + "\n" }.joined().utf8) + answer.body
    }

    /// Parses a file; throws a `Mistake`.
    init(file: Data) throws {
        var lines = ExchangeLines(file)
        let first = try lines.next("the line of a request, such as GET https://example.com/, is missing")
        guard let (method, target) = first.halves(at: " "), !method.isEmpty else {
            throw lines.mistake("a request's line is METHOD URL")
        }
        request = Request(method: method, target: target)
        var text: [String] = []
        while true {
            let line = try lines.next("the answer is missing: an empty line, and its status")
            if line.isEmpty { break }
            if line.begins(with: ">sha256 ") {
                let words = line.split(separator: " ")
                guard words.count == 3, let count = Int(words[2]) else {
                    throw lines.mistake("a body's hash is written >sha256 DIGITS COUNT")
                }
                request.body = .digest(String(words[1]), count: count)
            } else if line.begins(with: ">") {
                text.append(String(line.unicodeScalars.dropFirst(line.begins(with: "> ") ? 2 : 1)))
            } else {
                request.headers.append(try lines.header(line))
            }
        }
        if !text.isEmpty { request.body = Body(Data(text.joined(separator: "\n").utf8)) }
        answer = try Self.answer(&lines)
    }

    private static func answer(_ lines: inout ExchangeLines) throws -> Answer {
        var answer = Answer()
        var isFirst = true
        while true {
            let line = try lines.next("the empty line after the answer's headers is missing")
            if line.isEmpty, !isFirst { break }
            if line.hasPrefix("!") {
                let words = line.dropFirst().split(separator: " ", maxSplits: 1)
                guard let code = words.first.flatMap({ Int($0) }) else {
                    throw lines.mistake("a failure is written ! CODE TEXT")
                }
                answer.failure = Failure(code: code, text: words.count > 1 ? String(words[1]) : "")
            } else if isFirst {
                guard let status = Int(line.prefix { $0 != " " }), 0...999 ~= status else {
                    throw lines.mistake("the answer begins with its status, such as 200")
                }
                answer.status = status
            } else {
                answer.headers.append(try lines.header(line))
            }
            isFirst = false
        }
        answer.body = lines.rest
        return answer
    }
}

extension RecordedExchange.Header {
    fileprivate var line: String { "\(name): \(value)" }
}

/// The lines at the beginning of a file.
private struct ExchangeLines {
    private let bytes: Data
    private var position: Data.Index
    private var number = 0

    init(_ bytes: Data) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The bytes after the parsed lines.
    var rest: Data { Data(bytes[position...]) }

    mutating func next(_ missing: String) throws -> String {
        number += 1
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { throw mistake(missing) }
        var line = bytes[position..<end]
        // Some editors end lines with CR LF.
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        position = bytes.index(after: end)
        guard let text = String(validating: line, as: UTF8.self) else { throw mistake("this is no text") }
        return text
    }

    func header(_ line: String) throws -> RecordedExchange.Header {
        guard let (name, value) = line.halves(at: ":"), !name.isEmpty else {
            throw mistake("a header is written NAME: VALUE")
        }
        return RecordedExchange.Header(name: name, value: value.trimmingCharacters(in: .whitespaces))
    }

    func mistake(_ text: String) -> RecordedExchange.Mistake { .init(line: number, text: text) }
}
