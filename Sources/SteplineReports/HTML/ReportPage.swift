import Foundation
import SteplineSupport

/// The style sheet and the script of a report's page, from the files in `Page`.
///
/// SwiftPM embeds each file as an array literal. The compile time of a literal grows with the square of its length.
/// Therefore the script is split into files of less than 10 KB, which share one scope.
enum ReportPage {
    /// The palette as custom CSS properties, which the script reads too, and the style sheet.
    static let style: String =
        properties(.light) + "@media (prefers-color-scheme:dark){\(properties(.dark))}\n"
        + "@media print{\(properties(.light))}\n"
        + String(decoding: PackageResources.report_css, as: UTF8.self)

    /// The script, enclosed in marks that allow XML parsers to read the page.
    static let script: String = {
        let files = [
            PackageResources.data_js, PackageResources.list_js, PackageResources.timeline_js,
            PackageResources.details_js, PackageResources.page_js,
        ]
        let text = files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        return "//<![CDATA[\n\"use strict\";\n(() => {\n\(text)})();\n//]]>"
    }()

    /// The script's SHA-256 in base 64, by which the page's content security policy allows it.
    static let scriptHash = Data(Array(script.utf8).withUnsafeBytes { SHA256.hash($0) }).base64EncodedString()

    private static func properties(_ palette: Palette) -> String {
        var pairs = [
            ("fonts", GraphStyle.fonts), ("ground", palette.ground), ("card", palette.card),
            ("ink", palette.ink),
            ("muted", palette.muted), ("rule", palette.rule), ("accent", palette.accent),
            ("stripe", palette.stripe), ("chosen", palette.chosen),
        ]
        for look in TaskLook.allCases {
            pairs.append((look.rawValue, palette[look].line))
            pairs.append((look.rawValue + "-tint", palette[look].tint))
        }
        return ":root{\(pairs.map { "--\($0.0):\($0.1)" }.joined(separator: ";"))}\n"
    }
}
