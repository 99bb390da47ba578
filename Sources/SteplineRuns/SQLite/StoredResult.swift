import Foundation
import SteplineSupport

/// A result on its way into a row.
enum StoredResult {
    /// A small one, which the row holds itself.
    case inline(Data)
    /// A large one, which lies beside the store under its SHA-256.
    case beside(Data, sum: [UInt8])

    /// The largest result, in bytes, that a row holds.
    static let largestInline = 65_536

    init(_ data: Data) {
        if data.count > Self.largestInline {
            self = .beside(data, sum: data.withUnsafeBytes { SHA256.hash($0) })
        } else {
            self = .inline(data)
        }
    }

    /// Binds the result of a step with a sum that covers the step's run and name, too.
    func bind(
        to row: Statement, of step: String, run: Int, sum sumPlace: Int32, bytes bytesPlace: Int32
    ) throws {
        let kept =
            switch self {
            case .inline(let data): data
            case .beside(_, let sum): Data(sum)
            }
        try row.bind(ResultSum.of(kept, run: run, step: step), at: sumPlace)
        try kept.withUnsafeBytes { try row.bind($0, at: bytesPlace) }
    }
}
