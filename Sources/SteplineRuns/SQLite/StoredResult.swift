import Foundation
import SteplineSupport

/// A result in the form in which a row stores it.
enum StoredResult {
    /// A small result, stored in the row.
    case inline(Data)
    /// A large result, stored in a file named by its SHA-256.
    case beside(Data, sum: [UInt8])

    /// The largest result in a row, in bytes.
    static let largestInline = 65_536

    init(_ data: Data) {
        if data.count > Self.largestInline {
            self = .beside(data, sum: data.withUnsafeBytes { SHA256.hash($0) })
        } else {
            self = .inline(data)
        }
    }

    /// Binds the result with a checksum that also covers the step's run and name.
    func bind(
        to row: Statement, of step: String, run: Int, sum sumPlace: Int32, bytes bytesPlace: Int32
    ) throws {
        // The checksum of a large result covers the hash in the row.
        let kept =
            switch self {
            case .inline(let data): data
            case .beside(_, let sum): Data(sum)
            }
        try row.bind(ResultSum.of(kept, run: run, step: step), at: sumPlace)
        try kept.withUnsafeBytes { try row.bind($0, at: bytesPlace) }
    }
}
