import Foundation
import SteplineJSON

extension FlowValue: Codable {
    private enum Key: CodingKey {
        case json, bytes, origin, document
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .json) {
            var options = JSON.Options()
            // The value was accepted when it was created.
            options.maximumSize = .max
            self = .json(try JSON(parsing: text, options: options))
        } else if let bytes = try container.decodeIfPresent(Data.self, forKey: .bytes) {
            self = .bytes(bytes, try container.decode(FlowOrigin.self, forKey: .origin))
        } else {
            self = .document(try container.decode(FlowDocument.self, forKey: .document))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        // Encode as text: encoders keep neither all digits of numbers nor the order of members.
        case .json(let json): try container.encode(json.description, forKey: .json)
        case .bytes(let data, let origin):
            try container.encode(data, forKey: .bytes)
            try container.encode(origin, forKey: .origin)
        case .document(let document): try container.encode(document, forKey: .document)
        }
    }
}
