import Foundation

extension JSONParsing {
    static func parseByFoundation(_ data: Data) {
        let orders = orFail { try JSONSerialization.jsonObject(with: data) } as? [Any]
        if orders?.isEmpty ?? true { fatalError("there are orders") }
    }
}
