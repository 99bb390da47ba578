import Foundation

extension LoopbackResponse {
    /// Returns the response after applying the request's conditions, ranges and encodings: 304, 206, 416, or unchanged.
    func fitted(to request: LoopbackRequest) -> LoopbackResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else {
            return packed(for: request)
        }
        if isUnchanged(for: request) { return withoutBody(304) }
        guard servesRanges, let count = body.count, let range = request["Range"], mayResume(request) else {
            return packed(for: request)
        }
        switch ByteRange(range, of: count) {
        case .whole:
            return packed(for: request)
        case .outside:
            return withoutBody(416).header("Content-Range", "bytes */\(count)")
        case .part(let range):
            return changed {
                $0.status = 206
                $0.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
                $0.body = body.part(range)
            }
        }
    }

    private func isUnchanged(for request: LoopbackRequest) -> Bool {
        if let tags = request["If-None-Match"] {
            guard let own = headers["ETag"] else { return false }
            let known = tags.split(separator: ",").map { weakened($0.trimmingCharacters(in: .whitespaces)) }
            return known.contains("*") || known.contains(weakened(own))
        }
        if let date = request["If-Modified-Since"] { return date == headers["Last-Modified"] }
        return false
    }

    private func weakened(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

    private func mayResume(_ request: LoopbackRequest) -> Bool {
        guard let validator = request["If-Range"] else { return true }
        return validator.hasPrefix("W/")
            ? false : validator == headers["ETag"] || validator == headers["Last-Modified"]
    }

    private func packed(for request: LoopbackRequest) -> LoopbackResponse {
        guard isGzipped, body.count != nil, request.acceptsGzip else { return self }
        return changed {
            $0.body = .data(storedGzip($0.body.all))
            $0.headers["Content-Encoding"] = "gzip"
        }
    }

    private func withoutBody(_ status: Int) -> LoopbackResponse {
        changed {
            $0.status = status
            $0.body = .empty
        }
    }
}

extension LoopbackRequest {
    /// Whether gzip is acceptable, by its name or by `*`.
    fileprivate var acceptsGzip: Bool {
        let codings = (self["Accept-Encoding"] ?? "").lowercased().split(separator: ",").map { coding in
            coding.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let named = codings.first { $0.first == "gzip" } ?? codings.first { $0.first == "*" }
        guard let named else { return false }
        return !named.contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
}

/// The parsed value of a `Range` header.
private enum ByteRange {
    case whole, outside
    case part(Range<Int>)

    init(_ header: String, of count: Int) {
        self = .whole
        guard header.hasPrefix("bytes="), !header.contains(",") else { return }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        if let first = Int(ends[0]) {
            let last = Int(ends[1]) ?? count - 1
            self = first < count && first <= last ? .part(first..<(min(last, count - 1) + 1)) : .outside
        } else if let suffix = Int(ends[1]) {
            self = suffix > 0 && count > 0 ? .part(max(count - suffix, 0)..<count) : .outside
        }
    }
}
