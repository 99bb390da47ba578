extension JSON {
    /// The value under a key, or nil if there is none or this is no object.
    ///
    /// Setting changes the value in its place or appends it, and nil removes it; null becomes an object. On a
    /// value of another kind setting does nothing. What isn't on the way to the change isn't copied, and stays
    /// where it is on the tape that it came from.
    ///
    /// Keys are compared by their characters as RFC 8259 has it: `é` in one code point and in two are
    /// different keys. An edited value is at most 1 GiB large: a larger one is written, queried and decoded as
    /// null. Cost: linear in the members before it; objects of 48 and more members are looked up by
    /// a hash table that the first look-up makes. The first change to an object is linear in its members.
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

    /// The element at a position, from the end if negative, or nil if there is none or this is no array.
    ///
    /// Setting changes the element, and nil removes it; the position behind the last appends. At any other
    /// position, or on another kind of value, setting does nothing. Cost: constant for lists of plain values
    /// and edited ones, else linear in the elements before it; the first change to an array is linear in its
    /// elements.
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

    /// The value under a key, as `json.title`: short for `json["title"]`.
    ///
    /// Keys that are also properties of `JSON` (`count`, `string` …) are only reached by the string
    /// subscript.
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
    /// Where an element is, counted from the end if negative.
    fileprivate func element(_ position: Int) -> Int? {
        let found = position < 0 ? count &+ position : position
        return !isObject && found >= 0 && found < count ? found : nil
    }
}

extension JSON {
    /// Appends an element to an array; null becomes an array, and any other kind is `.wrongKind`.
    ///
    /// Cost: constant on average; the first change to an array is linear in its elements.
    public mutating func append(_ element: JSON) throws(JSONError) {
        guard let container = editing(isObject: false) else { throw wrongKind("appended to") }
        container.insert(element, at: container.count)
        edited(container)
    }

    /// Inserts an element before the position, from the end if negative; at the count it is appended.
    ///
    /// A position beyond is `.notFound`, a value that is no array `.wrongKind`.
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

    /// Removes the member under a key and returns its value; nil if there is none.
    @discardableResult
    public mutating func remove(_ key: String) -> JSON? {
        guard self[key] != nil, let container = editing(isObject: true),
            let position = container.position(of: key)
        else { return nil }
        defer { edited(container) }
        return container.remove(position)
    }

    /// Removes the element at a position, from the end if negative, and returns it; nil if there is none.
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
