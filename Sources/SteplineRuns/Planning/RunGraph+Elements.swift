import SteplineSupport

extension RunGraph {
    /// Returns the map that contains an element, by the element's name; nil if there is none.
    ///
    /// A map over a list that is known when the workflow is built has tasks for its elements in the graph. Another
    /// step of such a name is no element of the map.
    func map(of element: String) -> Int? {
        guard element.ends(with: "]") else { return nil }
        // Names may contain brackets: try each prefix.
        let signs = element.utf8
        for bracket in signs.indices where signs[bracket] == UInt8(ascii: "[") {
            if let place = places[String(element[..<bracket])], facts(Int(place)).mapped != nil {
                return Int(place)
            }
        }
        return nil
    }
}
