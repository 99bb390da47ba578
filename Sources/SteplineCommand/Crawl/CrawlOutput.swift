import Foundation
import SteplineSupport

/// Writes the rows of a crawl, each once, to a file or to standard output.
///
/// A row is written after its page was committed to the store, so a kill between both leaves rows out of the file, and
/// a kill during a write leaves a part of a line. The next process gets all committed rows again, in the order of their
/// ends, and then those of new pages. It cuts off the part of a line, skips the rows whose lines are in the file, and
/// writes the others.
///
/// | step | when | effect |
/// |---|---|---|
/// | `check` | before the run | refuses a file whose lines aren't rows of the crawl; writes nothing |
/// | `begin` | this process owns the run, no page is loaded yet | reads the lines in the file, cuts it, writes the header |
/// | `write` | for each row | writes the row's line unless the file holds it |
///
/// `begin` and `write` are called on one Swift task. Standard output can't be read: it gets all rows.
final class CrawlOutput: Sendable {
    private struct State {
        var handle: OutputHandle?
        var written = WrittenLines()
    }

    private let lines: CrawlLines
    /// Nil for standard output.
    private let file: URL?
    private let name: String
    private let overwrites: Bool
    private let live: LiveRun
    private let state = Locked(State())

    init(_ plan: CrawlPlan, _ live: LiveRun) {
        lines = plan.lines
        file = plan.file
        name = "--to \(live.arguments[.rowsTo] ?? "-")"
        overwrites = live.arguments.isOn(.force)
        self.live = live
    }

    deinit {
        if let handle = state.withLock({ $0.handle }) { close(handle.descriptor) }
    }

    /// Throws if the file can't be written, or has lines that aren't rows of the stored crawl.
    func check(_ kept: KeptCrawl?) throws {
        guard let file else { return }
        let path = file.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0 else {
            var isFolder: ObjCBool = false
            let folder = path.outerFolder
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
            else { throw refusal("there is no folder \(folder)") }
            guard access(folder, W_OK) == 0 else { throw refusal("\(folder) can't be written to") }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw refusal("that is a folder")
        default: throw refusal("that is no regular file; - writes to stdout")
        }
        guard access(path, W_OK | R_OK) == 0 else { throw refusal("the file can't be read and written") }
        guard status.st_size > 0, !overwrites else { return }
        guard let kept else {
            throw refusal("the file exists; --store lets a crawl continue it, --force overwrites it")
        }
        try check(file, kept)
    }

    /// Throws if the file has a line that isn't a committed row.
    private func check(_ file: URL, _ kept: KeptCrawl) throws {
        var written = try WrittenLines(of: file)
        let rest = written.rest
        var isRestKnown = rest.isEmpty
        if let header = try lines.header {
            isRestKnown = isRestKnown || written.count == 0 && header.starts(with: rest)
            guard written.count == 0 || written.first == header else { throw misfit(1, kept) }
            _ = written.remove(header)
        }
        // After the file: another process may be writing rows that it has committed.
        try kept.forEachRow { row in
            guard let line = try lines.line(of: row), !written.remove(line) else { return }
            isRestKnown = isRestKnown || line.starts(with: rest)
        }
        let foreign = written.misfit ?? written.firstRemaining
        guard let line = foreign ?? (isRestKnown ? nil : written.count + 1) else { return }
        throw misfit(line, kept)
    }

    private func misfit(_ line: Int, _ kept: KeptCrawl) -> UsageError {
        refusal(
            "line \(line) is no row of \(kept.id); write to another file, or let --force replace the file by the "
                + "rows in the store")
    }

    private func refusal(_ reason: String) -> UsageError { UsageError("\(name): \(reason)") }

    /// Opens the output; the process owns the run.
    func begin() throws {
        guard let file else {
            if let header = try lines.header { try live.write(header) }
            return
        }
        let descriptor = open(
            file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(name, errno) }
        let handle = OutputHandle(descriptor: descriptor, name: name)
        state.withLock { $0.handle = handle }
        var written = overwrites ? WrittenLines() : try WrittenLines(of: file)
        guard ftruncate(descriptor, off_t(written.completeSize)) == 0 else { throw Failure(name, errno) }
        if let header = try lines.header, !written.remove(header) { try handle.write(header) }
        state.withLock { $0.written = written }
    }

    /// Writes a row unless the file holds it.
    func write(_ row: CrawlRow) throws {
        guard let line = try lines.line(of: row) else { return }
        let (handle, isWritten) = state.withLock { ($0.handle, $0.written.remove(line)) }
        if isWritten { return }
        if let handle { try handle.write(line) } else { try live.write(line) }
    }

    /// The error for a file that can't be opened or cut.
    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ name: String, _ code: Int32) {
            description = "\(name): the file can't be written: \(String(cString: strerror(code)))"
        }
    }
}
