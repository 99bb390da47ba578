import SteplineSupport

/// Follows the declared content along a line of steps and records mismatches.
///
/// A scan costs time for the declared keys only; it runs no step. It tracks each entry with its key, its last writer
/// and whether a step has read it.
struct ChainScan {
    /// The known state of an entry at a place of the line.
    private struct Entry {
        let key: AnyContentKey
        var isRead: Bool
        /// The index of the step that writes the entry; nil for an entry of the starting content.
        var writer: Int?
    }

    // Nearly all steps use the two bodies: separate properties avoid a lookup by name.
    private var bodyData: Entry?
    private var bodyObject: Entry?
    private var entries: [String: Entry] = [:]
    /// Whether the content may hold undeclared entries, after a step replaced all of it.
    private var isOpen = false

    init(content: Content) {
        content.forEachEntry { slot, name, value in
            // Starting content counts as read: overwriting an initial entry is not a mistake.
            self[slot, name] = Entry(key: key(named: name, slot, holding: value), isRead: true)
        }
    }

    /// Applies the next step's declarations and adds the issues found.
    ///
    /// - Parameters:
    ///   - step: The next step.
    ///   - index: The index of the step in the line.
    ///   - position: The position for messages, evaluated only if there is an issue.
    ///   - issues: The list that receives the issues.
    mutating func visit(
        _ step: any Step, _ index: Int, at position: @autoclosure () -> StepPosition,
        _ issues: inout [CheckIssue]
    ) {
        // Inputs come first: a step may read and then overwrite the same entry.
        for key in step.inputs { read(key, &issues, position) }
        for key in step.outputs { write(key, by: index, &issues, position) }
        for problem in step.configurationProblems {
            issues.append(CheckIssue(.badConfiguration, at: position(), problem))
        }
        if !step.isRepeatable, (step.options.retry?.attempts ?? 1) > 1 {
            issues.append(
                CheckIssue(.notRepeatable, at: position(), "it can't be repeated, but has a retry policy")
            )
        }
    }

    /// Adds the issues of the final content; each issue names the step that wrote the wrong entry.
    ///
    /// - Parameters:
    ///   - output: The key that the pipeline must have at the end.
    ///   - position: Returns the position for an issue, given the index of the writing step or nil.
    ///   - issues: The list that receives the issues.
    func end(
        with output: AnyContentKey, at position: (_ writer: Int?) -> StepPosition,
        _ issues: inout [CheckIssue]
    ) {
        guard output.slot != .nothing, output.slot != .wholeBag else { return }
        let promise = "the pipeline is to make \(output.valueType)"
        guard let entry = self[output.slot, output.name] else {
            // An undeclared entry may exist in an open content: this is decided at run time.
            if output.isOptional || isOpen { return }
            let text = "\(promise), but nothing writes \"\(output.name)\""
            issues.append(CheckIssue(.missingInput, at: position(nil), key: output, text))
            return
        }
        // An Optional entry may be nil at run time, although its type allows the value.
        let mayBeAbsent = entry.key.isOptional && !output.isOptional
        guard mayBeAbsent || TypeFit(entry.key, readAs: output) == .cannotFit else { return }
        let text = "\(promise), but \"\(output.name)\" is left as \(entry.key.valueType)"
        issues.append(
            CheckIssue(.typeMismatch, at: position(entry.writer), key: output, found: entry.key, text))
    }

    private mutating func read(
        _ key: AnyContentKey, _ issues: inout [CheckIssue], _ position: () -> StepPosition
    ) {
        guard key.slot != .nothing else { return }
        // Reading the whole content counts as reading every entry.
        guard key.slot != .wholeBag else {
            bodyData?.isRead = true
            bodyObject?.isRead = true
            for name in entries.keys { entries[name]?.isRead = true }
            return
        }
        guard let entry = self[key.slot, key.name] else {
            if !key.isOptional, !isOpen {
                let text = "nothing before it writes \"\(key.name)\" (\(key.valueType) is expected)"
                issues.append(CheckIssue(.missingInput, at: position(), key: key, text))
            }
            return
        }
        // Write only on a change: the setter of a dictionary entry costs a lookup.
        if !entry.isRead { self[key.slot, key.name]?.isRead = true }
        // The writer may store nil, which the reader can't accept.
        let mayBeAbsent = entry.key.isOptional && !key.isOptional
        if mayBeAbsent || TypeFit(entry.key, readAs: key) == .cannotFit {
            let text =
                "\"\(key.name)\" is written as \(entry.key.valueType), but \(key.valueType) is expected"
            issues.append(
                CheckIssue(.typeMismatch, at: position(), key: key, found: entry.key, text)
            )
        }
    }

    private mutating func write(
        _ key: AnyContentKey, by index: Int, _ issues: inout [CheckIssue], _ position: () -> StepPosition
    ) {
        switch key.slot {
        case .nothing:
            return
        case .wholeBag:
            // The new content has unknown entries, so missing inputs can't be reported from here on.
            (bodyData, bodyObject, entries) = (nil, nil, [:])
            isOpen = true
            return
        case .bodyData, .bodyObject:
            if self[key.slot, key.name]?.isRead == false {
                let text = "it overwrites \"\(key.name)\" before anybody has read it"
                issues.append(
                    CheckIssue(.unreadOverwritten, .warning, at: position(), key: key, text)
                )
            }
        case .entry:
            // Entries with names of their own may be overwritten unread: only the two bodies carry the line's value.
            break
        }
        self[key.slot, key.name] = Entry(key: key, isRead: false, writer: index)
    }

    private subscript(slot: ContentSlot, name: String) -> Entry? {
        get {
            switch slot {
            case .bodyData: bodyData
            case .bodyObject: bodyObject
            case .entry: entries[name]
            case .wholeBag, .nothing: nil
            }
        }
        set {
            switch slot {
            case .bodyData: bodyData = newValue
            case .bodyObject: bodyObject = newValue
            case .entry: entries[name] = newValue
            case .wholeBag, .nothing: break
            }
        }
    }
}

/// The progress of a scan along a line.
///
/// Each scan has a single owner at a time. As an object, a scan continues without being copied.
final class LineScan {
    var chain: ChainScan
    /// The line version whose end the scan has reached.
    var version: UInt32 = 0

    init(_ chain: ChainScan) { self.chain = chain }
}

private func key(named name: String, _ slot: ContentSlot, holding value: some Sendable) -> AnyContentKey {
    // The nested generic function opens the existential, so the key gets the value's concrete type.
    func key<Value: Sendable>(_ value: Value) -> AnyContentKey {
        AnyContentKey(ContentKey<Value>(name, slot: slot))
    }
    return key(value)
}
