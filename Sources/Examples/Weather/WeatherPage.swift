/// What is shown of one place's weather.
struct WeatherPage: Sendable, Equatable {
    var description: String
    var temperature: Double
    var lowest: Double?
    var highest: Double?
    var wind: Double?
    var windUnit: String
    var humidity: Double?
    var pressure: Double?

    /// `8°`: whole degrees, as lists show them.
    var degrees: String { Self.degrees(temperature) }

    /// One line a fact; what isn't known isn't shown.
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
        // Without the sign of a temperature just below zero.
        return "\(whole == 0 ? 0 : Int(whole))°"
    }
}
