/// Finds the paths from a value to its descendants.
///
/// The last position in each container is cached, so that finding many paths in document order costs no more than
/// one.
struct Whereabouts {
    struct Step {
        /// The key of a member; nil for an element.
        let key: String?
        let position: Int
        /// The indexes of the value and of its container.
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
