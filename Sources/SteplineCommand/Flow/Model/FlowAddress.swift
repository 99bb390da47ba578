import Foundation
import SteplineSupport

/// The address of a `load` step: a URL or a path.
enum FlowAddress {
    static let schemes: Set<String> = ["http", "https", "data"]

    /// Returns the scheme of an address in lower case; nil for a path.
    static func scheme(of address: String) -> String? {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = address[..<colon]
        guard scheme.count > 1, scheme.first?.isLetter == true,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme.lowercased()
    }

    /// Returns the URL of an address with a host.
    static func url(_ address: String) -> URL? {
        guard let url = URL(string: address), url.host()?.isEmpty == false else { return nil }
        return url
    }

    /// Converts a value for its position in an address.
    ///
    /// At the beginning the value stays unchanged, and a foreign value must be a URL. In the host it must look like a
    /// host. Later all reserved characters are percent-encoded. `.` and `..` are refused, since servers and clients
    /// decode `%2E`.
    static func fill(_ value: String, after before: String, isForeign: Bool) throws -> String {
        if before.isEmpty {
            guard !isForeign || schemes.contains(scheme(of: value) ?? "") else {
                throw FlowTemplate.ShapeError(
                    message: "\"\(value)\" is no URL, and a load or a program gave it",
                    hint: "to load a file, write its folder before it, as in \"in/${…}\"")
            }
            return value
        }
        guard scheme(of: before) != nil else {
            return try fillPath(value, after: before, isForeign: isForeign)
        }
        let isInHost =
            before.ends(with: "://") || !before.parts(between: "://").dropFirst().joined().holds("/")
        guard isInHost, before.holds("://") else {
            let isInPath = before.holds("://") && !before.holds("?") && !before.holds("#")
            guard !isInPath || value != "." && value != ".." else {
                throw FlowTemplate.ShapeError(message: "\"\(value)\" can't be part of a URL's path")
            }
            return encoded(value)
        }
        guard value.utf8.allSatisfy({ isOfHost($0) }) else {
            throw FlowTemplate.ShapeError(message: "\"\(value)\" can't be part of a host's name")
        }
        return value
    }

    /// Returns the value with all reserved characters percent-encoded.
    static func encoded(_ value: String) -> String {
        var unreserved = CharacterSet.alphanumerics.intersection(
            CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        unreserved.insert(charactersIn: "-._~")
        return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Converts a value for its position in a path: unchanged at the beginning, later as one name that can't leave the
    /// folder.
    ///
    /// A foreign value is refused at the beginning.
    static func fillPath(_ value: String, after before: String, isForeign: Bool) throws -> String {
        guard !before.isEmpty || !isForeign else {
            throw FlowTemplate.ShapeError(
                message: "a path can't begin with \"\(value)\", which a load or a program gave",
                hint: "write its folder before it, as in \"out/${…}\"")
        }
        guard !before.isEmpty, value.holds("/") || value == ".." || value == "." || value.utf8.contains(0)
        else { return value }
        throw FlowTemplate.ShapeError(message: "\"\(value)\" can't be part of a file's name")
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte < 0x80
            && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || "-._:[]".utf8.contains(byte))
    }
}
