/// The keys of an object after the key strategy.
struct ConvertedKeys {
    private var members: [(key: String, place: Int)] = []
    /// Where the value of each key is; of those that have become equal, the first.
    private(set) var places: [String: Int] = [:]
    /// The key of each value.
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
