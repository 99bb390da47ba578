public import Foundation

/// The content that moves along a pipeline: entries under typed keys.
///
/// A value type: each step has its own copy, and changes affect no other copy. Copies share their storage until one of
/// them is modified.
public struct Content: Sendable {
    /// The storage that copies share until one of them is modified.
    private final class Storage: @unchecked Sendable {  // modified only while uniquely referenced
        static let empty = Storage()

        var bodyData: Data?
        var bodyObject: (any Sendable)?
        var entries: [String: any Sendable] = [:]

        init() {}

        init(copying other: Storage) {
            bodyData = other.bodyData
            bodyObject = other.bodyObject
            entries = other.entries
        }

        func setBodyData(_ data: Data?) {
            bodyData = data
            dropOtherBytes()
        }

        /// Removes a value other than `Data` that was stored under the name `bodyData`; such a value is kept in
        /// `entries`.
        func dropOtherBytes() {
            if !entries.isEmpty { entries["bodyData"] = nil }
        }
    }

    private var storage = Storage.empty

    /// Creates empty content.
    public init() {}

    /// The storage for a modification, which belongs to this value alone.
    private var writable: Storage {
        mutating get {
            // The static property also retains `empty`, so the first change always copies it.
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
            return storage
        }
    }

    /// The bytes that steps pass on.
    public var bodyData: Data? {
        get { storage.bodyData }
        set { writable.setBodyData(newValue) }
        // `_modify` lets a step append to the bytes in place, without a copy.
        _modify {
            let storage = writable
            storage.dropOtherBytes()
            yield &storage.bodyData
        }
    }

    /// The object that steps pass on.
    ///
    /// Setting nil, or an Optional that is nil, removes the object.
    public var bodyObject: (any Sendable)? {
        get { storage.bodyObject }
        set { writable.bodyObject = newValue.flatMap(unwrapped) }
    }

    /// The names of all entries: the two bodies first, then the other names in alphabetical order.
    public var names: [String] {
        var names: [String] = []
        if storage.bodyData != nil { names.append("bodyData") }
        if storage.bodyObject != nil { names.append("bodyObject") }
        return names + storage.entries.keys.sorted()
    }

    /// Calls `body` for each entry, in unspecified order.
    func forEachEntry(_ body: (ContentSlot, String, any Sendable) -> Void) {
        if let bytes = storage.bodyData { body(.bodyData, "bodyData", bytes) }
        if let object = storage.bodyObject { body(.bodyObject, "bodyObject", object) }
        for (name, value) in storage.entries { body(ContentSlot(entryNamed: name), name, present(value)) }
    }

    /// Returns whether an entry exists, without creating a deferred value.
    func holds(_ slot: ContentSlot, _ name: String) -> Bool {
        switch slot {
        case .bodyData: storage.bodyData != nil || storage.entries[name] != nil
        case .bodyObject: storage.bodyObject != nil
        case .entry: storage.entries[name] != nil
        case .wholeBag, .nothing: true
        }
    }

    func storedValue(_ slot: ContentSlot, _ name: String) -> (any Sendable)? {
        switch slot {
        case .bodyData: storage.bodyData ?? storage.entries[name].map(present)
        case .bodyObject: storage.bodyObject
        case .entry: storage.entries[name].map(present)
        case .wholeBag: self
        case .nothing: nil
        }
    }

    /// Stores a value that is created when the entry is read.
    ///
    /// - Parameters:
    ///   - key: The key of an entry with a name of its own.
    ///   - make: Creates the value at each read, on the reading thread.
    package mutating func setDeferred<Value: Sendable>(
        _ key: ContentKey<Value>, _ make: @escaping @Sendable () -> Value
    ) {
        guard case .entry = key.slot else { return store(make(), for: key) }
        writable.entries[key.name] = DeferredValue(make: make)
    }

    /// Returns the value of an entry.
    private func present(_ stored: any Sendable) -> any Sendable {
        (stored as? DeferredValue)?.make() ?? stored
    }

    mutating func setStoredValue(_ value: (any Sendable)?, _ slot: ContentSlot, _ name: String) {
        switch slot {
        case .bodyData:
            // `value` may have another type than `Data`: such a value replaces the bytes and is kept in `entries`.
            let data = value as? Data
            writable.setBodyData(data)
            if data == nil, let value { writable.entries[name] = value }
        case .bodyObject: writable.bodyObject = value
        case .entry: writable.entries[name] = value
        // Callers handle both slots: neither is stored under a name.
        case .wholeBag, .nothing: break
        }
    }
}

/// An entry whose value is created when it is read.
private struct DeferredValue: Sendable {
    let make: @Sendable () -> any Sendable
}
