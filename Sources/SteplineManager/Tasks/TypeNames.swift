import SteplineSupport

/// The names of types, each made once: to make one costs more than to run a small task.
enum TypeNames {
    private static let known = Locked<[ObjectIdentifier: String]>([:])

    static func name(of type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = known.withLock({ $0[id] }) { return name }
        let name = String(describing: type)
        known.withLock { $0[id] = name }
        return name
    }
}
