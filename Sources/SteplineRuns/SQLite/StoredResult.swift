import Foundation

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

    func bind(to row: Statement, sum sumPlace: Int32, bytes bytesPlace: Int32) throws {
        switch self {
        case .inline(let data):
            try data.withUnsafeBytes { bytes in
                try row.bind(Int(CRC32.sum(bytes)), at: sumPlace)
                try row.bind(bytes, at: bytesPlace)
            }
        case .beside(_, let sum):
            try row.bindNull(at: sumPlace)
            try sum.withUnsafeBytes { try row.bind($0, at: bytesPlace) }
        }
    }
}
