import Foundation
import SteplineSupport

extension CookieShelf {
    /// Parses cookies in Netscape's format, as curl writes it; invalid lines are skipped.
    init(netscape text: String) {
        // Other line separators, such as U+2028, may be part of a value.
        self.init(
            text.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.compactMap { Self.cookie(String($0)) })
    }

    private static func cookie(_ line: String) -> Cookie? {
        // curl marks HttpOnly cookies with this prefix; every other line with "#" is a comment.
        let afterMark = line.after("#HttpOnly_")
        let isHTTPOnly = afterMark != nil
        let line = afterMark ?? line
        guard !line.begins(with: "#") else { return nil }
        var fields = line.parts(between: "\t")
        // An empty value leaves only six fields, because trailing tabs are often removed.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7, let time = Int64(fields[4]), !fields[5].isEmpty else { return nil }
        return Cookie(
            name: fields[5], value: fields[6], domain: String(fields[0].lowercased().drop { $0 == "." }),
            isHostOnly: fields[1].uppercased() != "TRUE", path: fields[2],
            expires: time > 0 ? Date(timeIntervalSince1970: Double(time)) : nil,
            isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly)
    }

    /// Returns the cookies in Netscape's format, as curl reads it; session cookies have the time 0.
    func netscape(at now: Date) -> String {
        var text = "# Netscape HTTP Cookie File\n"
        for cookie in cookies where !cookie.isExpired(at: now) {
            let domain = (cookie.isHostOnly ? "" : ".") + cookie.domain
            let fields = [
                (cookie.isHTTPOnly ? "#HttpOnly_" : "") + domain, cookie.isHostOnly ? "FALSE" : "TRUE",
                cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
                String(cookie.expires.map { Int64(max(1, $0.timeIntervalSince1970.rounded(.up))) } ?? 0),
                cookie.name, cookie.value,
            ]
            // A tab in a value would begin another field.
            guard !fields.contains(where: { $0.contains("\t") }) else { continue }
            text += fields.joined(separator: "\t") + "\n"
        }
        return text
    }
}
