import SteplineSupport

/// Follows the bag along a line of steps by what they declare, and notes what can't work.
struct ChainScan {
    /// What is known of an entry at some place of the line.
    private struct Entry {
        let key: AnyContentKey
        var isRead: Bool
        /// The index of the step that writes it; nil if it was there at the start.
        var writer: Int?
    }

    // The two bodies, which nearly all steps go by, apart from the others: no search by name.
    private var bodyData: Entry?
    private var bodyObject: Entry?
    private var entries: [String: Entry] = [:]
    /// Whether the bag may hold entries that nobody has declared.
    private var isOpen = false

    init(content: Content) {
        content.forEachEntry { slot, name, value in
            self[slot, name] = Entry(key: key(named: name, slot, holding: value), isRead: true)
        }
    }

    /// Takes in the next step, and adds what is wrong with it.
    mutating func visit(
        _ step: any Step, _ index: Int, at position: @autoclosure () -> StepPosition,
        _ issues: inout [CheckIssue]
    ) {
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

    /// Adds what is wrong with what is left at the end, where `output` is wanted: said of the step that leaves it so.
    func end(
        with output: AnyContentKey, at position: (_ writer: Int?) -> StepPosition,
        _ issues: inout [CheckIssue]
    ) {
        guard output.slot != .nothing, output.slot != .wholeBag else { return }
        let wanted = "the pipeline is to make \(output.valueType)"
        guard let entry = self[output.slot, output.name] else {
            if output.isOptional || isOpen { return }
            let text = "\(wanted), but nothing writes \"\(output.name)\""
            issues.append(CheckIssue(.missingInput, at: position(nil), key: output, text))
            return
        }
        let mayBeAbsent = entry.key.isOptional && !output.isOptional
        guard mayBeAbsent || TypeFit(entry.key, readAs: output) == .cannotFit else { return }
        let text = "\(wanted), but \"\(output.name)\" is left as \(entry.key.valueType)"
        issues.append(
            CheckIssue(.typeMismatch, at: position(entry.writer), key: output, found: entry.key, text))
    }

    private mutating func read(
        _ key: AnyContentKey, _ issues: inout [CheckIssue], _ position: () -> StepPosition
    ) {
        guard key.slot != .nothing else { return }
        guard key.slot != .wholeBag else {
            bodyData?.isRead = true
            bodyObject?.isRead = true
            for name in entries.keys { entries[name]?.isRead = true }
            return
        }
        guard let entry = self[key.slot, key.name] else {
            if !key.isOptional, !isOpen {
                let text = "nothing before it writes \"\(key.name)\" (\(key.valueType) is wanted)"
                issues.append(CheckIssue(.missingInput, at: position(), key: key, text))
            }
            return
        }
        if !entry.isRead { self[key.slot, key.name]?.isRead = true }
        let mayBeAbsent = entry.key.isOptional && !key.isOptional
        if mayBeAbsent || TypeFit(entry.key, readAs: key) == .cannotFit {
            let text = "\"\(key.name)\" is written as \(entry.key.valueType), but \(key.valueType) is wanted"
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

/// How far a scan has come along a line.
///
/// An object that its holder has alone, so that it goes on without being copied.
final class LineScan {
    var chain: ChainScan
    /// The version of the line whose end it has come to.
    var version: UInt32 = 0

    init(_ chain: ChainScan) { self.chain = chain }
}

private func key(named name: String, _ slot: ContentSlot, holding value: some Sendable) -> AnyContentKey {
    func key<Value: Sendable>(_ value: Value) -> AnyContentKey {
        AnyContentKey(ContentKey<Value>(name, slot: slot))
    }
    return key(value)
}
