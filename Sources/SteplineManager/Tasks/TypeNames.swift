import SteplineSupport

/// A cache of type names: creating a name costs more than running a small task.
enum TypeNames {
    private static let known = Locked<[ObjectIdentifier: String]>([:])

    static func name(of type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = known.withLock({ $0[id] }) { return name }
        // Created without the lock; two threads may both create the same name.
        let name = String(describing: type)
        known.withLock { $0[id] = name }
        return name
    }
}
