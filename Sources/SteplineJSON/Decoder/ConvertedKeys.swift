/// The keys of an object after conversion by the key strategy.
struct ConvertedKeys {
    private var members: [(key: String, place: Int)] = []
    /// The index of each key's value; if conversion made keys equal, that of the first.
    private(set) var places: [String: Int] = [:]
    /// The converted key of each value, by the value's index.
    private(set) var names: [Int: String] = [:]

    mutating func add(_ key: String, at place: Int) { members.append((key, place)) }

    mutating func convert(_ convert: (String) -> String) {
        for (key, place) in members {
            let name = convert(key)
            names[place] = name
            if places[name] == nil { places[name] = place }
        }
        members = []
    }
}
