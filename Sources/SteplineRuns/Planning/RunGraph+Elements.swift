import SteplineSupport

extension RunGraph {
    /// The map that a step is an element of, by its name; nil if it is none.
    func map(of element: String) -> Int? {
        guard element.ends(with: "]") else { return nil }
        // A name may have brackets of its own.
        let signs = element.utf8
        for bracket in signs.indices where signs[bracket] == UInt8(ascii: "[") {
            if let place = places[String(element[..<bracket])] { return Int(place) }
        }
        return nil
    }
}
