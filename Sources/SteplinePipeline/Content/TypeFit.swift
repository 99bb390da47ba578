/// Whether a value written under one key can be read under another, judged by their types.
enum TypeFit {
    case fits, cannotFit, unknown

    /// Compares a written key with a later read.
    ///
    /// The actual class may be a subclass, and protocols and containers are decided at run time. Only a certain
    /// mismatch is `cannotFit`.
    init(_ written: AnyContentKey, readAs expected: AnyContentKey) {
        if written.valueType == expected.valueType {
            self = .fits
            return
        }
        let from = written.presentType, to = expected.presentType
        // The read type is the same type, a superclass or a protocol that `from` conforms to.
        if from == to || expected.acceptsType(from) {
            self = .fits
        } else if written.acceptsType(to) || isAbstract(from) || isAbstract(to) || areContainers(from, to) {
            // `to` may be a subclass: the actual instance decides.
            self = .unknown
        } else {
            self = .cannotFit
        }
    }
}

/// Returns whether values of this type have a dynamic type of their own: `any P`, `Any`, closures.
private func isAbstract(_ type: Any.Type) -> Bool {
    // Swift can't answer this directly. The metatype of a protocol is named `P.Protocol`; the name for a constrained
    // protocol or a function begins with a parenthesis.
    let name = "\(Swift.type(of: type as Any))"
    return name.hasSuffix(".Protocol") || name.hasPrefix("(")
}

/// Returns whether both types are containers of one kind, which convert element by element; an empty container always
/// converts.
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
