import Foundation
import SteplineSupport

/// What a `load` step leads to: a URL or a path.
enum FlowAddress {
    static let schemes: Set<String> = ["http", "https", "data"]

    /// The scheme that an address begins with, in small letters; nil for a path.
    static func scheme(of address: String) -> String? {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = address[..<colon]
        guard scheme.count > 1, scheme.first?.isLetter == true,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme.lowercased()
    }

    /// The URL of an address that has a host.
    static func url(_ address: String) -> URL? {
        guard let url = URL(string: address), url.host()?.isEmpty == false else { return nil }
        return url
    }

    /// Returns a value as a part of an address, by what stands before it.
    ///
    /// At the very beginning it is taken as it is: it may be a whole URL, and a foreign value must be one. Where the
    /// host is, it must look like one. Behind that every character is encoded that could mean something there, and
    /// `.` and `..` are refused: servers and clients take `%2E` for a dot, so that no encoding would keep them.
    static func fill(_ value: String, behind before: String, isForeign: Bool) throws -> String {
        if before.isEmpty {
            guard !isForeign || schemes.contains(scheme(of: value) ?? "") else {
                throw FlowTemplate.ShapeError(
                    message: "\"\(value)\" is no URL, and a load or a program gave it",
                    hint: "to load a file, write its folder before it, as in \"in/${…}\"")
            }
            return value
        }
        guard scheme(of: before) != nil else {
            return try fillPath(value, behind: before, isForeign: isForeign)
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

    /// The value with all encoded that could mean something in an address.
    static func encoded(_ value: String) -> String {
        var unreserved = CharacterSet.alphanumerics.intersection(
            CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        unreserved.insert(charactersIn: "-._~")
        return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Returns a value as a part of a path: at the very beginning as it is, behind that as one name without a way out.
    ///
    /// A foreign value is refused at the beginning.
    static func fillPath(_ value: String, behind before: String, isForeign: Bool) throws -> String {
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
