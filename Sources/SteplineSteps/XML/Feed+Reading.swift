public import Foundation
import SteplineJSON
public import SteplineXML

extension Feed {
    /// Reads RSS, Atom or JSON Feed, whichever the bytes are; links are taken relative to `base`.
    ///
    /// Of the options, JSON has the greatest size in common. Throws an `XMLError`, for what is no feed with the code
    /// `.noFeed`, or a `JSONError`.
    public init(reading data: Data, base: URL? = nil, options: XML.Options = .init()) throws {
        guard Self.isJSON(data) else {
            self = try Feed(data: data, base: base, options: options)
            return
        }
        var limits = JSON.Options()
        limits.maximumSize = options.maximumSize
        self = try Feed(json: try JSON(parsing: data, options: limits), base: base)
    }

    /// Whether the first byte that is no blank, after a byte order mark maybe, begins an object.
    private static func isJSON(_ data: Data) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = data.starts(with: mark) ? data.dropFirst(3) : data
        return start.first { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: "{")
    }
}
