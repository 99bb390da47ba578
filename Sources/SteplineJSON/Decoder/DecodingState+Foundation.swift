import Foundation

extension DecodingState {
    /// Throws for null: no strategy decodes null as a date or as data.
    private func checkPresence(_ index: Int, _ type: Any.Type) throws {
        if tape[index].isNull { throw typeMismatch(type, index) }
    }

    func date(_ index: Int, depth: Int) throws -> Date {
        try checkPresence(index, Date.self)
        switch decoder.dateDecodingStrategy {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try double(index))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try double(index))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try double(index) / 1000)
        case .iso8601:
            guard let date = try? Date.ISO8601FormatStyle().parse(string(index)) else {
                _ = try string(index)
                throw corrupted("Expected date string to be ISO8601-formatted.", index)
            }
            return date
        #if canImport(Darwin)
            // On other platforms a formatter becomes a `.custom` strategy.
            case .formatted(let formatter):
                guard let date = formatter.date(from: try string(index)) else {
                    throw corrupted("Date string does not match format expected by formatter.", index)
                }
                return date
        #endif
        case .custom(let make):
            return try make(ValueDecoder(state: self, index: index, depth: depth))
        @unknown default:
            return Date(timeIntervalSinceReferenceDate: try double(index))
        }
    }

    func data(_ index: Int, depth: Int) throws -> Data {
        try checkPresence(index, Data.self)
        switch decoder.dataDecodingStrategy {
        case .deferredToData:
            return try Data(from: ValueDecoder(state: self, index: index, depth: depth))
        case .custom(let make):
            return try make(ValueDecoder(state: self, index: index, depth: depth))
        case .base64:
            break
        @unknown default:
            break
        }
        guard let data = Data(base64Encoded: try string(index)) else {
            throw corrupted("Encountered Data is not valid Base64.", index)
        }
        return data
    }

    func url(_ index: Int) throws -> URL {
        try checkPresence(index, URL.self)
        guard let url = URL(string: try string(index)) else { throw corrupted("Invalid URL string.", index) }
        return url
    }

    func decimal(_ index: Int) throws -> Decimal {
        let word = tape[index]
        guard word.isNumber else { throw typeMismatch(Decimal.self, index) }
        guard let value = NumberText.decimal(String(decoding: tape.bytes(word), as: UTF8.self)) else {
            throw misfit(Decimal.self, index)
        }
        return value
    }
}
