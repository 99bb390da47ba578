public import Foundation

extension ContentKey where Value == Data {
    /// The bytes that steps hand on: what was loaded, what is to be saved.
    public static var bodyData: Self { .init("bodyData", slot: .bodyData) }
}

extension ContentKey {
    /// The object that steps hand on: what was parsed, or made by a block.
    public static var bodyObject: Self { .init("bodyObject", slot: .bodyObject) }
}

extension ContentKey where Value == Content {
    /// The whole bag in place of one entry of it.
    public static var content: Self { .init("content", slot: .wholeBag) }
}

extension ContentKey where Value == Void {
    /// No entry: nothing is read, or nothing is stored.
    public static var nothing: Self { .init("nothing", slot: .nothing) }
}

extension ContentKey {
    /// The usual place of a value of this type.
    ///
    /// `Data` is ``bodyData``, `Content` is ``content``, `Void` is ``nothing``, and all else is
    /// ``bodyObject``. An Optional stands where the type it wraps would.
    public static var body: Self {
        // Whether the type is an Optional is asked first: it costs next to nothing, and few are.
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
