/// What lets generic code see that a value's type is an Optional, and handle it as one.
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

/// Whether a type is an Optional, at the price of a comparison where a cast would search for a conformance.
@inline(__always)
func isOptional<Value>(_ type: Value.Type) -> Bool { _isOptional(type) }

/// The value, or what it wraps if it is an Optional, at whatever depth; nil if that is nil.
func unwrapped(_ value: any Sendable) -> (any Sendable)? {
    guard let optional = value as? any OptionalValue else { return value }
    // What a sendable Optional wraps is sendable, but the language can't cast to a protocol that leaves no
    // trace at run time. `Any` and `any Sendable` are laid out alike; the coercion keeps the compiler from
    // opening the existential, which would cast the bits of the value inside it.
    return optional.present.flatMap { unwrapped(unsafeBitCast($0 as Any, to: (any Sendable).self)) }
}
