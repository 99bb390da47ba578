extension JSON {
    /// The value under a key, or nil if there is none or this is no object.
    ///
    /// Keys are compared by their characters as RFC 8259 has it: `é` in one code point and in two are
    /// different keys. Cost: linear in the members before it; objects of 48 and more members are looked up by
    /// a hash table that the first look-up makes.
    public subscript(key: String) -> JSON? {
        tape.value(under: key, in: index).map { JSON(tape: tape, index: $0) }
    }

    /// The element at a position, from the end if negative, or nil if there is none or this is no array.
    ///
    /// Cost: constant for lists of plain values, else linear in the elements before it.
    public subscript(position: Int) -> JSON? {
        tape.element(at: position, in: index).map { JSON(tape: tape, index: $0) }
    }

    /// The value under a key, as `json.title`: short for `json["title"]`.
    ///
    /// Keys that are also properties of `JSON` (`count`, `string` …) are only reached by the string
    /// subscript.
    public subscript(dynamicMember key: String) -> JSON? { self[key] }
}
