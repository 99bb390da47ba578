import Foundation
import SteplineJSON

extension JSONEncoder {
    /// A new encoder with the same strategies.
    var copy: JSONEncoder {
        let copy = JSONEncoder()
        copy.outputFormatting = outputFormatting
        copy.dateEncodingStrategy = dateEncodingStrategy
        copy.dataEncodingStrategy = dataEncodingStrategy
        copy.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        copy.keyEncodingStrategy = keyEncodingStrategy
        copy.userInfo = userInfo
        return copy
    }

    /// A new encoder with the same strategies that writes each value on one line, with plain slashes.
    var copyForRecords: JSONEncoder {
        let copy = copy
        copy.outputFormatting.remove(.prettyPrinted)
        copy.outputFormatting.insert(.withoutEscapingSlashes)
        return copy
    }

    /// Returns a record on one line; a document keeps its format.
    func recordBytes(_ record: any Encodable) throws -> [UInt8] {
        guard let json = record as? JSON else { return try Array(encode(record)) }
        return Array(json.data(JSON.Format(sortsKeys: outputFormatting.contains(.sortedKeys))))
    }
}
