/// Whether a value declared under one key can be read by another, as far as the types alone can tell.
enum TypeFit {
    case fits, cannotFit, unknown

    /// Judges what a step writes against what a later one reads.
    ///
    /// A class may turn out to be any of its subclasses, and protocols and containers are left to the run:
    /// only what can never fit is called so.
    init(_ written: AnyContentKey, readAs wanted: AnyContentKey) {
        if written.valueType == wanted.valueType {
            self = .fits
            return
        }
        let from = written.presentType, to = wanted.presentType
        if from == to || wanted.acceptsType(from) {
            self = .fits
        } else if written.acceptsType(to) || isAbstract(from) || isAbstract(to) || areContainers(from, to) {
            self = .unknown
        } else {
            self = .cannotFit
        }
    }
}

/// Whether values of this type have further types of their own: `any P`, `Any`, closures.
private func isAbstract(_ type: Any.Type) -> Bool {
    // The language has no question for this, but the metatype of a protocol is called `P.Protocol`,
    // and that of a constrained one or of a function starts with a parenthesis.
    let name = "\(Swift.type(of: type as Any))"
    return name.hasSuffix(".Protocol") || name.hasPrefix("(")
}

/// Whether both are of one kind of container: those convert element by element, and an empty one always.
private func areContainers(_ one: Any.Type, _ other: Any.Type) -> Bool {
    guard let one = one as? any ContainerType.Type, let other = other as? any ContainerType.Type else {
        return false
    }
    return one.containerKind == other.containerKind
}

private protocol ContainerType {
    static var containerKind: ContainerKind { get }
}

private enum ContainerKind { case array, dictionary, set }

extension Array: ContainerType { fileprivate static var containerKind: ContainerKind { .array } }
extension Dictionary: ContainerType { fileprivate static var containerKind: ContainerKind { .dictionary } }
extension Set: ContainerType { fileprivate static var containerKind: ContainerKind { .set } }
