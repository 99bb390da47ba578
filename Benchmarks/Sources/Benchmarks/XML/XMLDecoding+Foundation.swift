import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

extension XMLDecoding {
    /// The same by hand, without a decoder.
    static func readByHand(_ data: Data) -> [Item] {
        guard let root = XMLParsing.foundationTree(data).rootElement() else { return [] }
        return root.elements(forName: "item").compactMap { item in
            func text(_ name: String) -> String? { item.elements(forName: name).first?.stringValue }
            guard let id = item.attribute(forName: "id")?.stringValue.flatMap({ Int($0) }),
                let kind = item.attribute(forName: "kind")?.stringValue, let title = text("title"),
                let price = text("price").flatMap({ Double($0) }), let description = text("description")
            else { return nil }
            return Item(id: id, kind: kind, title: title, price: price, description: description)
        }
    }
}
