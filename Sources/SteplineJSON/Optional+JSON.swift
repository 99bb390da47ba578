/// What a look-up gives is looked into and changed as a value is: `json["a"]["b"] = 3`.
extension JSON? {
    /// The value under a key; nil if there is none, or nothing to look into.
    ///
    /// Setting makes an object of what isn't there.
    public subscript(key: String) -> JSON? {
        get { flatMap { $0[key] } }
        _modify {
            var value = taken()
            defer { give(value) }
            yield &value[key]
        }
    }

    /// The element at a position, from the end if negative; nil if there is none, or nothing to look into.
    ///
    /// Setting makes an array of what isn't there.
    public subscript(position: Int) -> JSON? {
        get { flatMap { $0[position] } }
        _modify {
            var value = taken()
            defer { give(value) }
            yield &value[position]
        }
    }

    /// Appends an element to an array, or makes one; any other kind is `.wrongKind`.
    public mutating func append(_ element: JSON) throws(JSONError) {
        var value = taken()
        defer { give(value) }
        try value.append(element)
    }

    /// Takes the value out, so that it is changed in its place and not in a copy.
    private mutating func taken() -> JSON {
        defer { self = .none }
        return self ?? JSON.absent
    }

    /// What wasn't there, and was made nothing of, still isn't.
    private mutating func give(_ value: JSON) {
        self = value.isAbsent ? .none : value
    }
}

extension JSON {
    /// Null, and told from any other by its identity.
    fileprivate static let absent = JSON(tape: Tape.empty, index: 0)

    fileprivate var isAbsent: Bool { storage === Tape.empty }
}
