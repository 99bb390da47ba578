extension JSON {
    /// The value under a key; nil if the key is missing or the value isn't an object.
    ///
    /// Setting replaces the value in place or appends a member. Setting nil removes the member. Null becomes an
    /// object first. On any other kind, setting does nothing. A change copies only the containers on the path to
    /// the value; all others stay on the tape they came from.
    ///
    /// Keys are compared by their code points, as RFC 8259 specifies: `é` as one code point and as two are
    /// different keys. An edited value may be 1 GiB large: writing, querying or decoding a larger one yields null.
    /// Cost: linear in the members before the key. Objects with 48 or more members use a hash table, built on the
    /// first look-up. The first change to an object is linear in its members.
    public subscript(key: String) -> JSON? {
        get {
            if let edited {
                guard edited.isObject, let position = edited.position(of: key) else { return nil }
                return edited.values[position]
            }
            return storage.value(under: key, in: place).map { JSON(tape: storage, index: $0) }
        }
        _modify {
            let container = editing(isObject: true)
            let position = container?.position(of: key)
            var value = position.flatMap { container?.take($0) }
            defer { if let container { put(value, key, at: position, into: container) } }
            yield &value
        }
    }

    /// The element at a position; nil if the position is out of range or the value isn't an array.
    ///
    /// Negative positions count from the end. Setting replaces the element, and setting nil removes it. The
    /// position after the last element appends. At any other position, or on another kind, setting does nothing.
    /// Cost: constant for arrays of scalars and for edited arrays, otherwise linear in the elements before the
    /// position. The first change to an array is linear in its elements.
    public subscript(position: Int) -> JSON? {
        get {
            if let edited {
                guard let found = edited.element(position) else { return nil }
                return edited.values[found]
            }
            return storage.element(at: position, in: place).map { JSON(tape: storage, index: $0) }
        }
        _modify {
            let container = editing(isObject: false)
            let found = container?.element(position)
            var value = found.flatMap { container?.take($0) }
            defer {
                if let container {
                    put(value, at: found, isNext: position == container.count, into: container)
                }
            }
            yield &value
        }
    }

    /// The value under a key, written `json.title`: short for `json["title"]`.
    ///
    /// Keys that are also properties of `JSON` (`count`, `string` …) need the string subscript.
    public subscript(dynamicMember key: String) -> JSON? {
        get { self[key] }
        _modify { yield &self[key] }
    }

    private func put(_ value: JSON?, _ key: String, at position: Int?, into container: EditedContainer) {
        switch (value, position) {
        case (let value?, let position?): container.put(value, at: position)
        case (let value?, nil): container.append(value, key: key)
        case (nil, let position?): _ = container.remove(position)
        case (nil, nil): break
        }
        edited(container)
    }

    private func put(_ value: JSON?, at position: Int?, isNext: Bool, into container: EditedContainer) {
        switch (value, position) {
        case (let value?, let position?): container.put(value, at: position)
        case (let value?, nil) where isNext: container.insert(value, at: container.count)
        case (nil, let position?): _ = container.remove(position)
        default: break
        }
        edited(container)
    }
}

extension EditedContainer {
    /// Returns the index of an element, which counts from the end if negative; nil if out of range.
    fileprivate func element(_ position: Int) -> Int? {
        let found = position < 0 ? count &+ position : position
        return !isObject && found >= 0 && found < count ? found : nil
    }
}

extension JSON {
    /// Appends an element to an array; null becomes an array first.
    ///
    /// Cost: constant on average. The first change to an array is linear in its elements.
    ///
    /// - Throws: `JSONError` with the code `.wrongKind` for any other kind.
    public mutating func append(_ element: JSON) throws(JSONError) {
        guard let container = editing(isObject: false) else { throw wrongKind("appended to") }
        container.insert(element, at: container.count)
        edited(container)
    }

    /// Inserts an element before a position, which counts from the end if negative.
    ///
    /// The position after the last element appends.
    ///
    /// - Throws: `JSONError` with the code `.notFound` if the position is out of range, or `.wrongKind` if the value
    ///   isn't an array.
    public mutating func insert(_ element: JSON, at position: Int) throws(JSONError) {
        guard let container = editing(isObject: false) else { throw wrongKind("inserted into") }
        let place = position < 0 ? container.count &+ position : position
        guard place >= 0, place <= container.count else {
            throw JSONError(
                .notFound, message: "There is no position \(position) in \(container.count) elements")
        }
        container.insert(element, at: place)
        edited(container)
    }

    /// Removes the member under a key and returns its value; nil if the key is missing.
    @discardableResult
    public mutating func remove(_ key: String) -> JSON? {
        guard self[key] != nil, let container = editing(isObject: true),
            let position = container.position(of: key)
        else { return nil }
        defer { edited(container) }
        return container.remove(position)
    }

    /// Removes the element at a position and returns it; nil if the position is out of range.
    ///
    /// Negative positions count from the end.
    @discardableResult
    public mutating func remove(at position: Int) -> JSON? {
        guard self[position] != nil, let container = editing(isObject: false),
            let found = container.element(position)
        else { return nil }
        defer { edited(container) }
        return container.remove(found)
    }

    private func wrongKind(_ what: String) -> JSONError {
        JSONError(.wrongKind, message: "A value of the kind \(kind) can't be \(what)")
    }
}
