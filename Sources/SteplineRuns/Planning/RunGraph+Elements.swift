extension RunGraph {
    /// The map that a step is an element of, by its name; nil if it is none.
    func map(of element: String) -> Int? {
        guard element.hasSuffix("]") else { return nil }
        // A name may have brackets of its own.
        for bracket in element.indices where element[bracket] == "[" {
            if let place = places[String(element[..<bracket])] { return Int(place) }
        }
        return nil
    }
}
