import SteplineSupport

/// The elements or members of an array or object that has been edited: values of their own, each a place on the
/// tape it came from.
final class EditedContainer {
    /// How deeply edited containers may be in each other, since they are freed and written by recursion; a
    /// deeper one is written to a tape when it is put in.
    static let maximumHeight = 64

    let isObject: Bool
    private(set) var values: [JSON]
    private(set) var keys: [ExactText]
    /// Where the keys are, in objects of more than a few members.
    private var places: [ExactText: Int]?
    /// How deeply edited containers are in each other here, at most.
    private(set) var height = 1
    private let flat = Locked<JSON?>(nil)

    private static let fewMembers = 12

    init(_ json: JSON) {
        isObject = json.word.isObject
        if isObject {
            let members = json.members.map { (ExactText($0.key), $0.value) }
            keys = members.map(\.0)
            values = members.map(\.1)
        } else {
            keys = []
            values = Array(json.elements)
        }
        for value in values { height = max(height, value.editedHeight + 1) }
        indexKeys()
    }

    init(copying other: EditedContainer) {
        isObject = other.isObject
        values = other.values
        keys = other.keys
        places = other.places
        height = other.height
    }

    var count: Int { values.count }

    /// The whole on a tape, made when it is first asked for.
    func flattened(_ make: () -> JSON) -> JSON {
        flat.withLock { flat in
            if let flat { return flat }
            let made = make()
            flat = made
            return made
        }
    }

    func position(of key: String) -> Int? {
        let key = ExactText(key)
        if let places { return places[key] }
        return keys.firstIndex(of: key)
    }

    /// Takes a value out for a change, and leaves null in its place.
    func take(_ position: Int) -> JSON {
        changed()
        let value = values[position]
        values[position] = .null
        return value
    }

    func put(_ value: JSON, at position: Int) {
        changed()
        values[position] = fitting(value)
    }

    func insert(_ value: JSON, at position: Int) {
        changed()
        values.insert(fitting(value), at: position)
    }

    func append(_ value: JSON, key: String) {
        changed()
        let key = ExactText(key)
        keys.append(key)
        values.append(fitting(value))
        places?[key] = keys.count - 1
        if places == nil { indexKeys() }
    }

    func remove(_ position: Int) -> JSON {
        changed()
        if isObject {
            keys.remove(at: position)
            indexKeys()
        }
        return values.remove(at: position)
    }

    private func changed() { flat.withLock { $0 = nil } }

    private func fitting(_ value: JSON) -> JSON {
        let value = value.editedHeight < EditedContainer.maximumHeight ? value : value.flattened
        height = max(height, value.editedHeight + 1)
        return value
    }

    private func indexKeys() {
        guard keys.count > EditedContainer.fewMembers else {
            places = nil
            return
        }
        places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    }
}
