import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes received bytes to a hidden file beside the target, then renames it.
///
/// | Neighbour of the target | Used | After a failure | After a kill |
/// | --- | --- | --- | --- |
/// | the part, `.NAME.stepline-part` | if `resumes` is set, by one download at a time | kept if noted | left |
/// | its note, `….stepline-part.json` | if the response has a strong validator | kept | left |
/// | a temporary with a random name | otherwise, and if another download has the part | removed | left |
///
/// A later download of the same file and source continues a noted part; see ``KeptPart`` and ``RangeAnswer``. Left
/// temporaries are removed when a later process creates its first temporary in that folder.
///
/// One lock protects everything: a cancelling thread that discards the file waits for at most one write.
final class DownloadSink: TransferSink {
    private struct State {
        /// The open file; nil once it was renamed or discarded.
        var file: OpenFile?
        /// Whether the file was created by this download.
        var isNew = false
        /// The description of the kept part; nil if nothing is kept.
        var part: PartInfo?
        /// The received bytes that aren't written yet.
        var pending = Data()
        /// The number of bytes before this response.
        var offset: Int64 = 0
        /// The number of received bytes.
        var received: Int64 = 0
        /// The total size according to a range response; nil without one.
        var total: Int64?
        /// Whether the server said that the part is complete.
        var isWhole = false
        /// Whether the server said that the existing file is unchanged.
        var isUnchanged = false

        mutating func flush(to named: OpenFile? = nil) throws {
            guard let file = named ?? file, !pending.isEmpty else { return }
            // Clear the buffer after a failure too: a part of it may be written already.
            defer { pending.removeAll(keepingCapacity: true) }
            try file.writeAll(pending)
        }

        /// Throws if fewer bytes arrived than a range promised.
        func checkLength() throws {
            guard let total, offset + received < total else { return }
            throw BodyTooShort(count: offset + received, total: total)
        }

        /// Discards all bytes.
        mutating func clear() throws {
            let isEmpty = isNew && received == 0
            pending = Data()
            offset = 0
            received = 0
            total = nil
            if !isEmpty { try file?.cut(to: 0) }
        }
    }

    /// The size of writes: during a large write the socket's buffer fills, so that the transport wakes up less often.
    private static let chunk = 512 << 10

    private let url: URL
    private let place: FilePlace
    private let options: DownloadOptions
    private let source: URL?
    /// The name of the part, or of the temporary.
    private let name: String
    /// The name of the file with the part's description; nil if no part is kept.
    private let noteName: String?
    private let isRevalidating: Bool
    /// Whether the result contains the mark of the file.
    private let isMarked: Bool
    private let state: Locked<State>

    /// Opens the neighbour; if it contains a part, the plan requests the rest.
    init(_ url: URL, _ place: FilePlace, _ options: DownloadOptions, _ plan: inout TransferPlan) throws {
        self.url = url
        self.place = place
        self.options = options
        source = plan.request.url
        isRevalidating = plan.isRevalidating
        isMarked = plan.options.revalidation != nil
        if options.resumes, let part = try KeptPart(of: place, from: plan.request.url) {
            name = part.name
            noteName = part.noteName
            plan.resume(part)
            state = Locked(State(file: part.file, part: part.info, offset: part.size))
        } else {
            let (name, file) = try place.makeTemporary()
            self.name = name
            noteName = nil
            state = Locked(State(file: file, isNew: true))
        }
    }

    deinit { discard() }

    var base: Int64 { state.withLock { $0.offset } }

    func begin(_ response: TransferResponse, expected: Int64?) throws {
        try state.withLock { state in
            guard state.file != nil else { throw CancellationError() }
            switch RangeAnswer(
                response, asked: state.offset, part: state.part, mayBeUnchanged: isRevalidating)
            {
            case .rest(let total):
                state.total = total
            case .whole:
                state.isWhole = true
            case .unchanged:
                state.isUnchanged = true
            case .afresh:
                try state.clear()
                // Only a kept part needs the validator.
                if noteName != nil {
                    state.part = try note(PartInfo(source, response.object, total: expected))
                }
            case .misfit:
                try startAfresh(&state)
            }
        }
    }

    func write(_ bytes: Data) throws {
        try state.withLock { state in
            guard state.file != nil, !state.isWhole, !state.isUnchanged else { return }
            state.received += Int64(bytes.count)
            // With more bytes than promised, it is unknown which of them belong to the file.
            if let total = state.total, state.offset + state.received > total { try startAfresh(&state) }
            state.pending.append(bytes)
            if state.pending.count >= Self.chunk { try state.flush() }
        }
    }

    /// Discards all bytes and restarts the transfer from the beginning.
    private func startAfresh(_ state: inout State) throws {
        try state.clear()
        state.part = try note(nil)
        throw TransferRestart(without: ["Range", "If-Range"])
    }

    /// A completed file.
    struct Value: Sendable {
        let url: URL
        /// A text that changes with the file.
        let mark: String?
    }

    func finish() throws -> Value {
        let isUnchanged = state.withLock { $0.isUnchanged }
        if isUnchanged { discard() } else { try moveIntoPlace() }
        // Only revalidation compares versions of the file.
        let mark = isMarked ? try FileError.inCalls { try place.existingStatus()?.mark } : nil
        return Value(url: url, mark: mark)
    }

    private func moveIntoPlace() throws {
        try state.withLock { state in
            guard let file = state.file else { throw CancellationError() }
            try state.checkLength()
            try state.flush()
            if let old = try FileError.inCalls({ try place.existingStatus() }) {
                try file.setMode(old.permissions)
            }
            if options.sync != .none { try file.sync() }
            try file.settle()
            try FileError.inCalls { try place.moveIntoPlace(name) }
            state.file = nil
            if let noteName { place.remove(noteName) }
            try file.close()
            if options.sync == .fileAndDirectory { try FileError.inCalls { try place.folder.sync() } }
        }
    }

    func discard() {
        state.withLock { state in
            guard let file = state.file else { return }
            state.file = nil
            defer { state.pending = Data() }
            let isKept = noteName != nil && state.part != nil
            if isKept {
                try? state.flush(to: file)
            } else {
                place.remove(name)
                if let noteName { place.remove(noteName) }
            }
            try? file.close()
        }
    }

    /// Writes the description of the following part before any of its bytes.
    private func note(_ info: PartInfo?) throws -> PartInfo? {
        guard let noteName else { return nil }
        place.remove(noteName)
        guard let info else { return nil }
        let file = try FileError.inCalls {
            try place.open(noteName, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        }
        try file.writeAll(try JSONEncoder().encode(info))
        try file.close()
        return info
    }
}

extension TransferPlan {
    /// Requests the rest of a part, without content encoding.
    fileprivate mutating func resume(_ part: KeptPart) {
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard let info = part.info else { return }
        isResuming = true
        request.setValue("bytes=\(part.size)-", forHTTPHeaderField: "Range")
        request.setValue(info.validator, forHTTPHeaderField: "If-Range")
    }
}
