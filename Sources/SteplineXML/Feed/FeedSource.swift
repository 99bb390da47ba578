import Foundation

/// Parses the document of a feed, repairing harmless errors.
enum FeedSource {
    static func document(
        _ data: Data, options: XML.Options
    ) throws(XMLError) -> (XML.Document, [Feed.Mend]) {
        var mended: [Feed.Mend] = []
        let content = withoutBlanks(data, &mended)
        if content.first == UInt8(ascii: "{") || content.first == UInt8(ascii: "[") {
            throw XMLError(.noFeed, "this is JSON, and may be a JSON Feed: `Feed(json:)` reads that", line: 1)
        }
        var options = options
        options.knowsHTMLCharacters = true
        // Prefixes that aren't bound lose nothing: they are read by what they usually stand for.
        options.toleratesNamespaceFaults = true
        let isLenient = options.isLenient
        options.isLenient = false
        do throws(XMLError) {
            let document = try XML.Document(data: content, options: options)
            return (document, mended + notes(document))
        } catch {
            guard error.code != .limit, error.code != .empty else { throw error }
            guard isLenient else {
                throw looksLikePage(content)
                    ? XMLError(.noFeed, "this is an HTML page, no feed", line: 1) : error
            }
            options.isLenient = true
            return try lenient(content, options, error, mended)
        }
    }

    private static func lenient(
        _ content: Data, _ options: XML.Options, _ error: XMLError, _ mended: [Feed.Mend]
    ) throws(XMLError) -> (XML.Document, [Feed.Mend]) {
        var options = options
        var mended = mended
        var bytes = Array(content)
        if error.code == .encoding {
            var decoder = HTMLDecoder(charset: options.charset)
            bytes = bytes.withUnsafeBufferPointer { decoder.decode($0) }
            options.charset = "UTF-8"
            mended += decoder.problems.map { Feed.Mend(line: $0.line, message: $0.message) }
        }
        FeedMender.mend(&bytes, &mended)
        do throws(XMLError) {
            let document = try XML.Document(bytes: bytes, options: options)
            return (document, mended + notes(document))
        } catch {
            throw looksLikePage(content) ? XMLError(.noFeed, "this is an HTML page, no feed", line: 1) : error
        }
    }

    private static func notes(_ document: XML.Document) -> [Feed.Mend] {
        document.problems.map { Feed.Mend(line: $0.line, message: $0.message) }
    }

    private static func withoutBlanks(_ data: Data, _ mended: inout [Feed.Mend]) -> Data {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = data.starts(with: mark) ? data.dropFirst(3) : data
        guard let first = start.first, ScalarText.isBlank(first) else { return data }
        mended.append(Feed.Mend(line: 1, message: "blanks before the declaration"))
        return start.drop { ScalarText.isBlank($0) }
    }

    private static func looksLikePage(_ data: Data) -> Bool {
        let start = String(decoding: data.prefix(1_024), as: UTF8.self).lowercased()
        return start.contains("<!doctype html") || start.contains("<html")
    }
}

/// Repairs the most frequent errors that would make the parser lose content.
enum FeedMender {
    /// Drops characters that XML doesn't permit, and escapes literal ampersands.
    static func mend(_ bytes: inout [UInt8], _ mended: inout [Feed.Mend]) {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var line = 1
        var isSection = false
        for (index, byte) in bytes.enumerated() {
            if byte == 10 { line += 1 }
            if byte < 32, byte != 9, byte != 10, byte != 13 {
                note("a character that XML doesn't have", line, &mended)
                continue
            }
            if byte == UInt8(ascii: "<"), bytes[index...].starts(with: "<![CDATA[".utf8) { isSection = true }
            if byte == UInt8(ascii: ">"), isSection, output.suffix(2).elementsEqual("]]".utf8) {
                isSection = false
            }
            output.append(byte)
            if byte == UInt8(ascii: "&"), !isSection, !isReference(bytes[(index + 1)...]) {
                output.append(contentsOf: "amp;".utf8)
                note("an ampersand that stands for itself", line, &mended)
            }
        }
        bytes = output
    }

    private static func note(_ message: String, _ line: Int, _ mended: inout [Feed.Mend]) {
        if mended.count < XMLError.maximumProblems { mended.append(Feed.Mend(line: line, message: message)) }
    }

    private static func isReference(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.prefix(32).prefix {
            $0 | 32 >= 97 && $0 | 32 <= 122 || $0 >= 48 && $0 <= 57 || $0 == 35
        }
        guard rest.dropFirst(name.count).first == UInt8(ascii: ";"), let first = name.first else {
            return false
        }
        return first == UInt8(ascii: "#") || first >= 65
    }
}
