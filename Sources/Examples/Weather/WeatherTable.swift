import Foundation

/// Formats cities and their weather as a table.
enum WeatherTable {
    static func text(_ rows: [(name: String, page: WeatherPage?)]) -> String {
        let header = ["city", "now", "low", "high", "wind", "humidity", "pressure", "weather"]
        let lines = [header] + rows.map { cells(of: $0.page, named: $0.name) }
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { row in
            let padded = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                // Align words to the left and numbers to the right.
                return column == 0 || column == header.count - 1 ? cell + space : space + cell
            }
            return padded.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    private static func cells(of page: WeatherPage?, named name: String) -> [String] {
        guard let page else { return [name, "–", "–", "–", "–", "–", "–", "not to be had"] }
        let degrees = { (value: Double?) in value.map(WeatherPage.degrees) ?? "–" }
        return [
            name, page.degrees, degrees(page.lowest), degrees(page.highest),
            page.wind.map { "\($0) \(page.windUnit)" } ?? "–",
            page.humidity.map { "\(Int($0.rounded())) %" } ?? "–",
            page.pressure.map { "\(Int($0.rounded())) hPa" } ?? "–", page.description,
        ]
    }
}
