public import Foundation

extension ContentKey where Value == Data {
    /// The bytes that steps pass on, such as loaded bytes or bytes to save.
    public static var bodyData: Self { .init("bodyData", slot: .bodyData) }
}

extension ContentKey {
    /// The object that steps pass on, such as a parsed object or a block's result.
    public static var bodyObject: Self { .init("bodyObject", slot: .bodyObject) }
}

extension ContentKey where Value == Content {
    /// The whole content instead of a single entry.
    public static var content: Self { .init("content", slot: .wholeBag) }
}

extension ContentKey where Value == Void {
    /// No entry: nothing is read or stored.
    public static var nothing: Self { .init("nothing", slot: .nothing) }
}

extension ContentKey {
    /// The default entry for values of this type.
    ///
    /// `Data` is stored in ``bodyData``, `Content` in ``content``, `Void` in ``nothing``, and all other types in
    /// ``bodyObject``. An Optional uses the entry of the type that it wraps.
    public static var body: Self {
        // Check for an Optional first: the check is cheap and few types are Optionals.
        let type: Any.Type = Value.self
        return if type == Data.self || (isOptional(Value.self) && type == Data?.self) {
            .init("bodyData", slot: .bodyData)
        } else if type == Content.self || (isOptional(Value.self) && type == Content?.self) {
            .init("content", slot: .wholeBag)
        } else if type == Void.self || (isOptional(Value.self) && type == Void?.self) {
            .init("nothing", slot: .nothing)
        } else {
            .init("bodyObject", slot: .bodyObject)
        }
    }
}
