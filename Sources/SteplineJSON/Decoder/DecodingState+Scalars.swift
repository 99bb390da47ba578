import Foundation

extension DecodingState {
    @inline(__always)
    func string(_ index: Int) throws -> String {
        let word = tape[index]
        guard word.isText else { throw typeMismatch(String.self, index) }
        return tape.text(word)
    }

    @inline(__always)
    func bool(_ index: Int) throws -> Bool {
        switch tape[index].tag {
        case Word.Kind.yes.rawValue: return true
        case Word.Kind.no.rawValue: return false
        default: throw typeMismatch(Bool.self, index, evenIfNull: true)  // as in Foundation
        }
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, _ index: Int) throws -> T {
        let word = tape[index]
        guard word.isNumber else { throw typeMismatch(type, index) }
        guard let value: T = NumberText(tape.bytes(word)).integer() else { throw misfit(type, index) }
        return value
    }

    @inline(__always)
    func double(_ index: Int) throws -> Double {
        let word = tape[index]
        guard word.isNumber else { return try nonConforming(Double.self, index) }
        guard let value = NumberText(tape.bytes(word)).double else { throw misfit(Double.self, index) }
        return value
    }

    func float(_ index: Int) throws -> Float {
        let word = tape[index]
        guard word.isNumber else { return try nonConforming(Float.self, index) }
        // Parse the digits directly: converting via `Double` would round twice.
        let value = Float(String(decoding: tape.bytes(word), as: UTF8.self))
        guard let value, value.isFinite else { throw misfit(Float.self, index) }
        return value
    }

    @inline(never)
    private func nonConforming<T: BinaryFloatingPoint>(_ type: T.Type, _ index: Int) throws -> T {
        let word = tape[index]
        guard word.isText else { throw typeMismatch(type, index) }
        switch decoder.nonConformingFloatDecodingStrategy {
        case .convertFromString(let positive, let negative, let nan):
            switch tape.text(word) {
            case positive: return .infinity
            case negative: return -.infinity
            case nan: return .nan
            default: throw typeMismatch(type, index)
            }
        default:
            throw typeMismatch(type, index)
        }
    }

    @inline(never)
    func misfit(_ type: Any.Type, _ index: Int) -> DecodingError {
        let literal = String(decoding: tape.bytes(tape[index]), as: UTF8.self)
        return corrupted("Parsed JSON number <\(literal)> does not fit in \(type).", index)
    }
}
