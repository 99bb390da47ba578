import Foundation
import SteplineXML
import Testing

/// The tables under `Fixtures/feeds`: what is read of each feed, as paths into its JSON and values.
///
/// A file has wrappers (`@wrapper`, in which `%` stands for a case's own lines) and cases: `== name`, the lines, `--`,
/// and what is expected: `path = value`, with a dot in front for the first item, nothing after `=` for nothing,
/// `path # n` for a number of elements, `error = code` or `error ~ words`. A case named `lenient: …` is read so.
@Suite(.timeLimit(.minutes(5))) struct FeedCaseTests {
    static let base = URL(string: "https://feeds.example/dir/feed.xml")

    @Test func `feeds are read as the tables say`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Fixture.feeds, includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "cases" }.sorted { $0.path < $1.path }
        var count = 0
        var failed: [String] = []
        for file in files {
            for feedCase in try FeedCase.all(in: file) {
                count += 1
                let problems = feedCase.problems()
                if !problems.isEmpty {
                    failed.append("\(feedCase.name): " + problems.joined(separator: "; "))
                }
            }
        }
        #expect(failed.isEmpty, "\(failed.count) of \(count) fail:\n\(failed.joined(separator: "\n"))")
        #expect(count >= 300, "there are only \(count)")
    }

    @Test func `a feed comes back from its JSON`() throws {
        for file in ["modules.cases", "atom.cases", "rss.cases"] {
            for feedCase in try FeedCase.all(in: Fixture.feeds.appending(path: file)) {
                guard let feed = try? feedCase.feed() else { continue }
                let again = try JSONDecoder().decode(Feed.self, from: try JSONEncoder().encode(feed))
                #expect(again == feed, "\(feedCase.name)")
            }
        }
    }
}

struct FeedCase {
    let name: String
    let source: String
    let expected: [String]

    static func all(in file: URL) throws -> [FeedCase] {
        var cases: [FeedCase] = []
        var wrapper = "%"
        let text = try String(contentsOf: file, encoding: .utf8)
        for block in text.components(separatedBy: "\n== ").dropFirst() {
            // A wrapper stands at the end of the block before the cases that it is for.
            let pieces = block.components(separatedBy: "\n@wrapper\n")
            let parts = pieces[0].components(separatedBy: "\n--\n")
            let head = parts[0].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                let lines = parts[1].split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
                let body = head.count == 2 ? String(head[1]) : ""
                cases.append(
                    FeedCase(
                        name: "\(file.lastPathComponent): \(head[0])",
                        source: wrapper.replacing("%", with: body),
                        expected: lines))
            }
            if pieces.count == 2 { wrapper = pieces[1].trimmingCharacters(in: .newlines) }
        }
        return cases
    }

    func feed() throws -> Feed {
        var options = XML.Options()
        options.isLenient = name.contains(": lenient")
        // `\xHH` is a byte, so that damage can be written down.
        var bytes: [UInt8] = []
        var rest = Array(source.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "\\"), rest.dropFirst().first == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return try Feed(data: Data(bytes), base: FeedCaseTests.base, options: options)
    }

    func problems() -> [String] {
        do {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                let isWhole = date.timeIntervalSince1970.rounded() == date.timeIntervalSince1970
                try container.encode(date.formatted(.iso8601(isWhole)))
            }
            let json = try JSONSerialization.jsonObject(with: try encoder.encode(try feed()))
            return expected.compactMap { Self.problem($0, json) }
        } catch let error as XMLError {
            return expected.compactMap { line in
                if line.hasPrefix("error = "), line.dropFirst(8) == error.code.description { return nil }
                if line.hasPrefix("error ~ "), error.message.contains(line.dropFirst(8)) { return nil }
                return "\(line), but \(error)"
            }
        } catch {
            return ["\(error)"]
        }
    }

    private static func problem(_ line: String, _ json: Any) -> String? {
        guard let mark = line.firstRange(of: " = ") ?? line.firstRange(of: " # ") ?? line.firstRange(of: " =")
        else {
            return "not a line: \(line)"
        }
        var path = String(line[..<mark.lowerBound])
        if path.hasPrefix(".") { path = "items.0" + path }
        let expectedText = String(line[mark.upperBound...]).replacing("\\n", with: "\n")
        let found = path.split(separator: ".").reduce(Optional(json)) { value, key in
            if let list = value as? [Any], let index = Int(key) {
                return index < list.count ? list[index] : nil
            }
            return (value as? [String: Any])?[String(key)]
        }
        let text: String
        if line[mark].contains("#") {
            text = "\((found as? [Any])?.count ?? 0)"
        } else {
            text = Self.text(found)
        }
        return text == expectedText ? nil : "\(path) is '\(text)', not '\(expectedText)'"
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: ""
        case let text as String: text
        case let list as [Any]: list.map { Self.text($0) }.joined(separator: "|")
        case let number as NSNumber: "\(number)"
        default: "\(value ?? "")"
        }
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    fileprivate static func iso8601(_ isWhole: Bool) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole)
    }
}
