/// The weather of a place, as shown.
struct WeatherPage: Sendable, Equatable {
    var description: String
    var temperature: Double
    var lowest: Double?
    var highest: Double?
    var wind: Double?
    var windUnit: String
    var humidity: Double?
    var pressure: Double?

    /// The temperature in whole degrees, for lists: `8°`.
    var degrees: String { Self.degrees(temperature) }

    /// A line for each known fact.
    var lines: [String] {
        var lines = ["\(description), \(degrees)"]
        if let lowest, let highest {
            lines.append("from \(Self.degrees(lowest)) to \(Self.degrees(highest)) today")
        }
        if let wind { lines.append("wind \(wind) \(windUnit)") }
        if let humidity { lines.append("humidity \(Int(humidity.rounded())) %") }
        if let pressure { lines.append("pressure \(Int(pressure.rounded())) hPa") }
        return lines
    }

    static func degrees(_ value: Double) -> String {
        let whole = value.rounded()
        // Avoid "-0°" for a temperature just below zero.
        return "\(whole == 0 ? 0 : Int(whole))°"
    }
}
