public import Foundation
import SteplineJSON
public import SteplineXML

extension Feed {
    /// Creates a feed from RSS, Atom or JSON Feed, detected from the bytes; links are relative to `base`.
    ///
    /// For JSON only the size limit of the options applies.
    ///
    /// - Throws: An `XMLError`, with the code `.noFeed` for other documents, or a `JSONError`.
    public init(reading data: Data, base: URL? = nil, options: XML.Options = .init()) throws {
        guard Self.isJSON(data) else {
            self = try Feed(data: data, base: base, options: options)
            return
        }
        var limits = JSON.Options()
        limits.maximumSize = options.maximumSize
        self = try Feed(json: try JSON(parsing: data, options: limits), base: base)
    }

    /// Returns whether the first nonblank byte after an optional byte order mark begins an object.
    private static func isJSON(_ data: Data) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = data.starts(with: mark) ? data.dropFirst(3) : data
        return start.first { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: "{")
    }
}
