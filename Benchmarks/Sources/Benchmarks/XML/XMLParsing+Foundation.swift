import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

extension XMLParsing {
    static func parseByFoundation(_ input: [UInt8]) {
        if foundationTree(Data(input)).rootElement() == nil { fatalError("Foundation gives no root") }
    }

    static func foundationTree(_ data: Data) -> XMLDocument { orFail { try XMLDocument(data: data) } }
}
