/// Finds the ways from one value to others inside it.
///
/// It remembers how far it got in each container, so that many ways in the order of the document take no
/// longer than one.
struct Whereabouts {
    struct Step {
        /// Nil for an element.
        let key: String?
        let position: Int
        /// Where it is, and what it is in.
        let index: Int
        let container: Int
    }

    private struct Place {
        var child: Int
        var position: Int
    }

    private let tape: Tape
    private let root: Int
    private var places: [Int: Place] = [:]

    init(_ tape: Tape, root: Int) {
        self.tape = tape
        self.root = root
    }

    mutating func steps(to target: Int) -> [Step] {
        var steps: [Step] = []
        var index = root
        while index < target, tape[index].isContainer {
            let isObject = tape[index].isObject
            let end = index + tape[index].upper
            var place = Place(child: isObject ? index + 2 : index + 1, position: 0)
            if let known = places[index], known.child <= target { place = known }
            while place.child < end, tape.next(place.child) <= target {
                place.child = tape.next(place.child) + (isObject ? 1 : 0)
                place.position += 1
            }
            guard place.child < end else { break }
            places[index] = place
            let key = isObject ? tape.text(tape[place.child - 1]) : nil
            steps.append(
                Step(key: key, position: place.position, index: place.child, container: index))
            index = place.child
        }
        return steps
    }
}
