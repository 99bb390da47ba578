import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bytes on their way into a file, by way of a neighbour of it.
///
/// One lock holds all: a cancelling thread that throws the file away waits for one write at most.
final class DownloadSink: TransferSink {
    private struct State {
        /// Nil once the file has been moved into place or thrown away.
        var file: OpenFile?
        /// What is known of the part that is kept; nil if nothing is to be kept.
        var part: PartInfo?
        /// What has come and is not yet written.
        var pending = Data()
        /// How many bytes there were before the response.
        var offset: Int64 = 0
        /// How many bytes have come behind those.
        var received: Int64 = 0
        /// How many bytes a range that was answered makes the whole; nil if there is none.
        var total: Int64?
        /// Whether the server has said that the part is the whole.
        var isWhole = false
        /// Whether the server has said that the file in place is still the same.
        var isUnchanged = false

        mutating func flush(to named: OpenFile? = nil) throws {
            guard let file = named ?? file, !pending.isEmpty else { return }
            // After a failure, too: some of it may be in the file, and none of it may follow once more.
            defer { pending.removeAll(keepingCapacity: true) }
            try file.writeAll(pending)
        }

        /// Throws if bytes are missing of those that a range has promised.
        func checkLength() throws {
            guard let total, offset + received < total else { return }
            throw BodyTooShort(count: offset + received, total: total)
        }

        /// Starts over.
        mutating func clear() throws {
            pending = Data()
            offset = 0
            received = 0
            total = nil
            try file?.cut(to: 0)
        }
    }

    /// How much is written at once: while that takes its time, the socket fills, and the transport wakes up less
    /// often than for every packet.
    private static let chunk = 512 << 10

    private let url: URL
    private let place: FilePlace
    private let options: DownloadOptions
    private let source: URL?
    /// The neighbour's name.
    private let name: String
    /// Where what is known of a kept part is noted; nil if no part is kept.
    private let noteName: String?
    private let isRevalidating: Bool
    private let state: Locked<State>

    /// Opens the neighbour; if a part of the file is there, the plan asks for the rest.
    init(_ url: URL, _ place: FilePlace, _ options: DownloadOptions, _ plan: inout TransferPlan) throws {
        self.url = url
        self.place = place
        self.options = options
        source = plan.request.url
        isRevalidating = plan.isRevalidating
        if options.resumes, let part = try KeptPart(of: place, from: plan.request.url) {
            name = part.name
            noteName = part.noteName
            plan.resume(part)
            state = Locked(State(file: part.file, part: part.info, offset: part.size))
        } else {
            let (name, file) = try place.makeTemporary()
            self.name = name
            noteName = nil
            state = Locked(State(file: file))
        }
    }

    deinit { discard() }

    var base: Int64 { state.withLock { $0.offset } }

    func begin(_ response: URLResponse, expected: Int64?) throws {
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
                state.part = try note(PartInfo(source, response, total: expected))
            case .misfit:
                try startAfresh(&state)
            }
        }
    }

    func write(_ bytes: Data) throws {
        try state.withLock { state in
            guard state.file != nil, !state.isWhole, !state.isUnchanged else { return }
            state.received += Int64(bytes.count)
            // Of more than the range has promised nobody knows what belongs to the file.
            if let total = state.total, state.offset + state.received > total { try startAfresh(&state) }
            state.pending.append(bytes)
            if state.pending.count >= Self.chunk { try state.flush() }
        }
    }

    /// Forgets what there is, and has the file asked for from its start.
    private func startAfresh(_ state: inout State) throws {
        try state.clear()
        state.part = try note(nil)
        throw TransferRestart(without: ["Range", "If-Range"])
    }

    /// A file that is in place.
    struct Value: Sendable {
        let url: URL
        /// What changes when the file does.
        let mark: String?
    }

    func finish() throws -> Value {
        let isUnchanged = state.withLock { $0.isUnchanged }
        if isUnchanged { discard() } else { try moveIntoPlace() }
        return Value(url: url, mark: try FileError.inCalls { try place.existingStatus()?.mark })
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

    /// Notes what the part that follows is of, before any byte of it is written.
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
    /// Asks for the rest of a part, if there is one, and for nothing that is packed on the way.
    fileprivate mutating func resume(_ part: KeptPart) {
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard let info = part.info else { return }
        isResuming = true
        request.setValue("bytes=\(part.size)-", forHTTPHeaderField: "Range")
        request.setValue(info.validator, forHTTPHeaderField: "If-Range")
    }
}
