import Foundation
import SteplineSupport
import SteplineTesting

extension HostileAnswer {
    /// The complete response, cut at every third byte; after the head, the body is too short.
    static let cuts: [HostileAnswer] = {
        let bytes = Data(whole.joined().utf8)
        return stride(from: 0, to: bytes.count, by: 3).map { count in
            HostileAnswer("cut after \(count) bytes", .failure, .raw(head: bytes.prefix(count)))
        }
    }()

    /// Lines that are duplicated, too long, missing, or in the wrong place.
    static let lines: [HostileAnswer] = {
        var answers: [HostileAnswer] = []
        for (number, line) in whole.enumerated().dropLast() {
            var doubled = whole
            doubled.insert(line, at: number)
            answers.append(HostileAnswer("line \(number) doubled", .either, doubled.joined()))
            var long = whole
            long[number] = String(line.dropLast()) + String(repeating: "x", count: 100_000) + "\r\n"
            answers.append(HostileAnswer("line \(number) too long", .failure, long.joined()))
            var without = whole
            without.remove(at: number)
            answers.append(HostileAnswer("line \(number) left out", .either, without.joined()))
            var bare = whole
            bare[number] = line.rewriting { $0 == "\r" ? "" : nil }
            answers.append(HostileAnswer("line \(number) with a bare line feed", .either, bare.joined()))
            var broken = whole
            broken[number] = line.rewriting { $0 == "\n" ? "" : nil }
            answers.append(HostileAnswer("line \(number) with a bare return", .either, broken.joined()))
        }
        answers.append(HostileAnswer("in reverse", .failure, whole.reversed().joined()))
        answers.append(HostileAnswer("the body first", .failure, "hello" + whole.dropLast().joined()))
        answers.append(
            HostileAnswer("headers before the status", .failure, whole[1] + whole[0] + whole[2...].joined()))
        answers.append(HostileAnswer("twice over", .success("hello"), whole.joined() + whole.joined()))
        return answers
    }()

    /// Invalid lengths, and lengths that differ from the body's.
    static let lengths: [HostileAnswer] = [
        "-1", "+5", "0x5", "5x", "x5", "5 5", "5, 6", "6", "500", "99999999999999999999",
        "9223372036854775807",
        "9223372036854775808", "18446744073709551616", "5.0", "5e0", "five", "\u{0665}",
    ].map { length in
        HostileAnswer(
            "Content-Length: \(length)", ["+5", "5, 6"].contains(length) ? .either : .failure,
            "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
    }

    /// Valid and invalid status lines.
    static let statuses: [HostileAnswer] =
        [
            "HTTP/1.1 0 x", "HTTP/1.1 000 x", "HTTP/1.1 20 x", "HTTP/1.1 2000 x", "HTTP/1.1 -200 x",
            "HTTP/1.1 2OO x", "HTTP/1.1", "HTTP/1.1 ", "HTTP/ 200 x", "HTTP/1 x", "HTTP/9.9 200 OK",
            "http/1.1 200",
            "HTTP/1.1\t200\tOK", "ICY 200 OK", "RTSP/1.0 200 OK", "SIP/2.0 200 OK", "GET / HTTP/1.1",
            "HTTP/1.1 206 Partial", "HTTP/1.1 304 Not Modified", "HTTP/1.1 404 x", "HTTP/1.1 500 x",
            "HTTP/1.1 999 x", "HTTP/1.1 600 x", "\0\0\0\0", "<html>", "{}", "\u{16}\u{3}\u{1}\u{2}\u{0}",
        ].map { line in
            let isLoose = line.hasPrefix("http/") || line.contains("\t")
            return HostileAnswer(
                "status line \(line.debugDescription)", isLoose ? .either : .failure,
                "\(line)\r\nContent-Length: 5\r\n\r\nhello")
        } + [
            HostileAnswer(
                "interim answers without end", .failure,
                String(repeating: "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n", count: 20_000)),
            HostileAnswer("an interim answer alone", .failure, "HTTP/1.1 100 Continue\r\n\r\n"),
            HostileAnswer(
                "a switch of protocols", .failure, "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nhello"),
            HostileAnswer(
                "an interim answer before a whole one", .success("hello"),
                "HTTP/1.1 103 x\r\nLink: </a>\r\n\r\n" + whole.joined()),
        ]

    /// Invalid headers, and too many headers.
    static let headers: [HostileAnswer] =
        [
            "no colon", ": no name", "X\0: y", "X: \0", "X: a\rb", " folded: first", "X y: z\0",
            "Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: gzip",
            "Content-Length: 5\r\nContent-Length: 4",
        ].map { HostileAnswer("header \($0.debugDescription)", .failure, head($0)) }
        + [
            "X : y", "X:", "X: \u{e9}", "\u{e9}: x", "X: 1\r\n 2", "Set-Cookie: =;;=", "Set-Cookie: a\u{1}=b",
            "Set-Cookie: \u{301}=\u{301}", "Content-Type: ;;;", "Content-Type: \"\\", "Date: never",
            "Retry-After: -1", "Keep-Alive: timeout=-1", "Connection: \u{1F600}", "WWW-Authenticate: \"",
            "Location: /elsewhere", "Alt-Svc: h3=\":1\"",
            "Content-Disposition: attachment; filename=\"/../x\"",
        ].map { HostileAnswer("header \($0.debugDescription)", .either, head($0)) }
        + [
            HostileAnswer(
                "100,000 lines", .failure, head(String(repeating: "A:b\r\n", count: 100_000) + "A:b")),
            HostileAnswer("2,500 lines", .failure, head(String(repeating: "A:b\r\n", count: 2500) + "A:b")),
            HostileAnswer("a head of 300 KB", .failure, head("X: " + String(repeating: "y", count: 300_000))),
        ]

    static func head(_ lines: String) -> String {
        "HTTP/1.1 200 OK\r\n\(lines)\r\nConnection: close\r\n\r\nhello"
    }
}
