import SteplineSupport

/// The elements or members of an array or object that has been edited.
///
/// Each child is a `JSON` of its own, on the tape it came from. A container is mutated in place only while its
/// tape is uniquely referenced; ``JSON/editing(isObject:)`` makes a copy otherwise.
final class EditedContainer {
    /// The maximum nesting of edited containers, because freeing and writing them recurses.
    ///
    /// A value that is edited to a greater height is flattened when it is inserted.
    static let maximumHeight = 64

    let isObject: Bool
    private(set) var values: [JSON]
    private(set) var keys: [ExactText]
    /// The position of each key; nil for objects with few members.
    private var places: [ExactText: Int]?
    /// The height of the tree of edited containers below this one, itself included.
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

    /// Returns the container on a single tape; cached until the next change.
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

    /// Takes a value out to change it uniquely referenced, and leaves null in its place.
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
