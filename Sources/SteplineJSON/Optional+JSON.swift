/// Look-ups and changes chain through optionals as through values: `json["a"]["b"] = 3`.
extension JSON? {
    /// The value under a key; nil if this is nil or the key is missing.
    ///
    /// Setting on nil makes an object.
    public subscript(key: String) -> JSON? {
        get { flatMap { $0[key] } }
        _modify {
            var value = taken()
            defer { give(value) }
            yield &value[key]
        }
    }

    /// The element at a position, from the end if negative; nil if this is nil or the position is out of range.
    ///
    /// Setting on nil makes an array.
    public subscript(position: Int) -> JSON? {
        get { flatMap { $0[position] } }
        _modify {
            var value = taken()
            defer { give(value) }
            yield &value[position]
        }
    }

    /// Appends an element to an array; nil becomes an array first.
    ///
    /// - Throws: `JSONError` with the code `.wrongKind` for any other kind.
    public mutating func append(_ element: JSON) throws(JSONError) {
        var value = taken()
        defer { give(value) }
        try value.append(element)
    }

    /// Takes the value out, which keeps it uniquely referenced, so that a change doesn't copy it.
    private mutating func taken() -> JSON {
        defer { self = .none }
        return self ?? JSON.absent
    }

    /// Puts the value back; an absent value that wasn't changed becomes nil again.
    private mutating func give(_ value: JSON) {
        self = value.isAbsent ? .none : value
    }
}

extension JSON {
    /// A null that stands for a missing value, recognized by the identity of its tape.
    fileprivate static let absent = JSON(tape: Tape.empty, index: 0)

    fileprivate var isAbsent: Bool { storage === Tape.empty }
}
