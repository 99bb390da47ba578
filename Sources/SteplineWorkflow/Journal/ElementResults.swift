/// The results of a map's elements in the order of its list, as one result of which only the names need be kept.
///
/// The results are those of one attempt of the map. Some may lie in a store: each read of the list loads those.
package protocol ElementResults: ResultSource {
    /// The name of the map's task, with which the names of its elements begin.
    var title: String { get }
    /// The names of the elements' tasks.
    var names: [String] { get }
    /// The results; nil if some of them lie in a store.
    var loaded: [any Sendable]? { get }
}

/// How the results of a map's elements become its own.
package struct ElementList: Sendable {
    /// The type of an element's result.
    package let type: any Sendable.Type
    /// The list of results; nil if one of them is of another type.
    package let make: @Sendable ([any Sendable]) -> (any Sendable)?

    /// Creates the list of a map whose elements' tasks have these options; nil if the map's result is stored whole.
    init?<Output: Sendable>(of type: Output.Type, with options: TaskOptions) {
        // A list of names needs a stored result for each element.
        guard !options.isRecomputed, type != Void.self else { return nil }
        self.init(of: type)
    }

    init<Output: Sendable>(of type: Output.Type) {
        self.type = type
        make = { values in
            let results = values.compactMap { $0 as? Output }
            return results.count == values.count ? results : nil
        }
    }
}

/// The results of one attempt of a map.
final class MapResults<Output: Sendable>: ElementResults {
    let title: String
    let names: [String]
    private let whole: [Output]?
    private let parts: [any Sendable]

    /// The values are results, or each a ``KeptResult``.
    init(_ title: String, _ names: [String], _ values: [any Sendable]) {
        self.title = title
        self.names = names
        let results = values.compactMap { $0 as? Output }
        let isLoaded = results.count == values.count
        // With one result in a store there is no whole list: `result` then loads what is missing, at each read.
        whole = isLoaded ? results : nil
        parts = isLoaded ? [] : values
    }

    var loaded: [any Sendable]? { whole }

    func result(at place: Int) throws -> (any Sendable)? {
        if let whole { return whole }
        let values = try KeptResult.load(parts)
        // A stored nil stands for `Void`.
        return ElementList(of: Output.self).make(values.map { $0 ?? () })
    }
}
