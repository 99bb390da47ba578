import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The partial file of an earlier download, locked for this one.
///
/// Without a note that fits the source the part is cut to zero, and the download begins at the first byte.
struct KeptPart {
    /// The largest description of a part that is read.
    private static let noteLimit = 64 << 10

    let file: OpenFile
    let name: String
    let noteName: String
    /// The description; nil if it is unknown, in which case the file is empty.
    let info: PartInfo?
    let size: Int64

    /// Opens or creates the part of a file; nil if another download is using it.
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
        // The previous user may have renamed the file before this lock was taken.
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

/// The description of a part: its source and a validator.
struct PartInfo: Codable, Sendable {
    let source: String
    let validator: String
    let total: Int64?

    /// Creates the description; nil if the response has no strong validator.
    init?(_ source: URL?, _ response: URLResponse, total: Int64?) {
        guard let source, let http = response as? HTTPURLResponse, http.isUnencoded, http.statusCode == 200,
            let validator = http.strongValidator
        else { return nil }
        self.source = source.absoluteString
        self.validator = validator
        self.total = total
    }
}

/// The meaning of a response to a range request.
enum RangeAnswer {
    /// The rest of a file with the given total size.
    case rest(total: Int64)
    /// No rest: the part is complete.
    case whole
    /// The whole file from its beginning.
    case afresh
    /// The existing file is unchanged.
    case unchanged
    /// An inconsistent response: request the file from its beginning.
    case misfit

    init(_ response: TransferResponse, asked offset: Int64, part: PartInfo?, mayBeUnchanged: Bool) {
        if mayBeUnchanged, response.status == 304 {
            self = .unchanged
            return
        }
        guard offset > 0, let part, let http = response.object as? HTTPURLResponse else {
            self = .afresh
            return
        }
        let range = http.value(forHTTPHeaderField: "Content-Range").flatMap(ContentRange.init)
        let tag = http.value(forHTTPHeaderField: "ETag")
        let isSame = tag.map { $0 == part.validator || !part.validator.hasPrefix("\"") } ?? true
        let fitsTotal = range?.total == nil || part.total == nil || range?.total == part.total
        switch http.statusCode {
        case 206:
            // Without a total, completeness can't be verified.
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

    /// Returns whether the range extends to the end of a file.
    func reaches(_ total: Int64) -> Bool { last.map { $0 &+ 1 == total } ?? false }
}

extension HTTPURLResponse {
    var isUnencoded: Bool {
        (value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity") == "identity"
    }

    /// A strong validator: a strong entity tag, or a modification date that is old enough.
    var strongValidator: String? {
        if let tag = value(forHTTPHeaderField: "ETag") {
            return tag.hasPrefix("\"") && tag.count >= 2 && tag.hasSuffix("\"") ? tag : nil
        }
        guard let changed = value(forHTTPHeaderField: "Last-Modified"), let date = HTTPDate.date(of: changed),
            let sent = value(forHTTPHeaderField: "Date").flatMap(HTTPDate.date)
        else { return nil }
        // Two versions may have the same date within a second; a minute allows for clock differences.
        return sent.timeIntervalSince(date) >= 60 ? changed : nil
    }
}
