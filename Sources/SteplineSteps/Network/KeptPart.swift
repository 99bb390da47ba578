import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a file that an earlier download has left.
struct KeptPart {
    /// The most that is read of what is noted of a part.
    private static let noteLimit = 64 << 10

    let file: OpenFile
    let name: String
    let noteName: String
    /// What it is a part of; nil if that isn't known, and the file is then empty.
    let info: PartInfo?
    let size: Int64

    /// Opens the part of a file, an empty one if there is none; nil if another download has it.
    init?(of place: FilePlace, from source: URL?) throws {
        name = place.neighbour("stepline-part")
        noteName = place.neighbour("stepline-part.json")
        do {
            file = try place.open(name, O_RDWR | O_CREAT)
        } catch let error as SystemCallError where error.number == ELOOP {
            throw FileError(.notRegular, error.path, "a symbolic link, which is not followed")
        }
        let status = try file.status()
        guard status.isRegularFile else {
            throw FileError(.notRegular, file.path, "not a regular file")
        }
        guard file.claim() else { return nil }
        // Whoever had it before may have moved it into place meanwhile.
        guard let present = try place.folder.status(of: name), present.st_ino == status.st_ino else {
            return nil
        }
        let count = Int64(status.st_size)
        if let noted = Self.note(noteName, at: place), count > 0, noted.source == source?.absoluteString,
            noted.total.map({ count <= $0 }) ?? true
        {
            info = noted
            size = count
            try file.cut(to: count)
        } else {
            info = nil
            size = 0
            place.remove(noteName)
            try file.cut(to: 0)
        }
    }

    private static func note(_ name: String, at place: FilePlace) -> PartInfo? {
        guard let file = try? place.open(name, O_RDONLY), let status = try? file.status(),
            status.isRegularFile, status.st_size <= noteLimit
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
        return try? JSONDecoder().decode(PartInfo.self, from: Data(bytes.prefix(count)))
    }
}

/// What is known of a part: where it is from, and by what it can be told whether that has changed.
struct PartInfo: Codable, Sendable {
    let source: String
    let validator: String
    let total: Int64?

    /// Nil if the response has nothing by which a part can be told to fit.
    init?(_ source: URL?, _ response: URLResponse, total: Int64?) {
        guard let source, let http = response as? HTTPURLResponse, http.isUnencoded, http.statusCode == 200,
            let validator = http.strongValidator
        else { return nil }
        self.source = source.absoluteString
        self.validator = validator
        self.total = total
    }
}

/// What an answer means to somebody who asked for the rest of a file.
enum RangeAnswer {
    /// The rest, of a file of so many bytes.
    case rest(total: Int64)
    /// There is no rest: the part is the whole.
    case whole
    /// The file from its start.
    case afresh
    /// Nothing: the file that is in place is still the same.
    case unchanged
    /// Something that doesn't fit: the file is to be asked for anew.
    case misfit

    init(_ response: URLResponse, asked offset: Int64, part: PartInfo?, mayBeUnchanged: Bool) {
        if mayBeUnchanged, (response as? HTTPURLResponse)?.statusCode == 304 {
            self = .unchanged
            return
        }
        guard offset > 0, let part, let http = response as? HTTPURLResponse else {
            self = .afresh
            return
        }
        let range = http.value(forHTTPHeaderField: "Content-Range").flatMap(ContentRange.init)
        let tag = http.value(forHTTPHeaderField: "ETag")
        let isSame = tag.map { $0 == part.validator || !part.validator.hasPrefix("\"") } ?? true
        let fitsTotal = range?.total == nil || part.total == nil || range?.total == part.total
        switch http.statusCode {
        case 206:
            // Without a total nobody could tell whether all has come.
            if let total = range?.total ?? part.total, total > offset, range?.first == offset,
                range?.reaches(total) == true, fitsTotal, isSame, http.isUnencoded
            {
                self = .rest(total: total)
            } else {
                self = .misfit
            }
        case 416:
            self = range?.total == offset && fitsTotal && isSame ? .whole : .misfit
        default:
            self = .afresh
        }
    }
}

/// A `Content-Range` header: `bytes 5-9/10` or `bytes */10`.
struct ContentRange {
    let first: Int64?
    let last: Int64?
    let total: Int64?

    init?(_ header: String) {
        let words = header.split(whereSeparator: { $0 == " " || $0 == "/" })
        guard words.count == 3, words[0].lowercased() == "bytes" else { return nil }
        let ends = words[1].split(separator: "-")
        first = ends.count == 2 ? Int64(ends[0]) : nil
        last = ends.count == 2 ? Int64(ends[1]) : nil
        total = Int64(words[2])
        guard words[1] == "*" || first != nil && last != nil else { return nil }
    }

    /// Whether it goes to the end of a file of so many bytes.
    func reaches(_ total: Int64) -> Bool { last.map { $0 &+ 1 == total } ?? false }
}

extension HTTPURLResponse {
    var isUnencoded: Bool {
        (value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity") == "identity"
    }

    /// What changes with every change of the bytes: a strong entity tag, or a date of change that isn't too fresh.
    var strongValidator: String? {
        if let tag = value(forHTTPHeaderField: "ETag") {
            return tag.hasPrefix("\"") && tag.count >= 2 && tag.hasSuffix("\"") ? tag : nil
        }
        guard let changed = value(forHTTPHeaderField: "Last-Modified"), let date = HTTPDate.date(of: changed),
            let sent = value(forHTTPHeaderField: "Date").flatMap(HTTPDate.date)
        else { return nil }
        // Within one second there may have been two versions; a minute allows for clocks that differ.
        return sent.timeIntervalSince(date) >= 60 ? changed : nil
    }
}
