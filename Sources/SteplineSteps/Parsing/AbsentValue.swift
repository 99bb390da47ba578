/// Returns the nil value of an Optional type; nil for any other type.
func absentValue<T>() -> T? {
    guard let type = T.self as? any OptionalType.Type else { return nil }
    return type.absent as? T
}

private protocol OptionalType {
    static var absent: Self { get }
}

extension Optional: OptionalType {
    fileprivate static var absent: Self { .none }
}
