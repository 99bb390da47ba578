/// Lets generic code detect an Optional and access its value.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    static var absent: Self { get }
    var present: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    static var absent: Self { .none }
    var present: Any? { self }
}

/// Returns whether a type is an Optional, with one comparison instead of a search for a conformance.
@inline(__always)
func isOptional<Value>(_ type: Value.Type) -> Bool { _isOptional(type) }

/// Returns the value without any level of Optional; nil if a level is nil.
func unwrapped(_ value: any Sendable) -> (any Sendable)? {
    guard let optional = value as? any OptionalValue else { return value }
    // The value in a sendable Optional is sendable, but Swift can't cast to a marker protocol. `Any` and `any Sendable`
    // have the same layout. The coercion to `Any` prevents the compiler from opening the existential, which would
    // reinterpret the value inside.
    return optional.present.flatMap { unwrapped(unsafeBitCast($0 as Any, to: (any Sendable).self)) }
}
