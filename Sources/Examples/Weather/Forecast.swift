/// The forecast for one place: the current values, and today's extremes.
///
/// All values except the temperature are optional.
struct Forecast: Decodable, Sendable {
    struct Current: Decodable, Sendable {
        let temperature: Double
        let humidity: Double?
        let pressure: Double?
        let wind: Double?
        let code: Int?

        private enum CodingKeys: String, CodingKey {
            case temperature = "temperature_2m"
            case humidity = "relative_humidity_2m"
            case pressure = "pressure_msl"
            case wind = "wind_speed_10m"
            case code = "weather_code"
        }
    }

    struct Units: Decodable, Sendable {
        let wind: String?

        private enum CodingKeys: String, CodingKey {
            case wind = "wind_speed_10m"
        }
    }

    struct Daily: Decodable, Sendable {
        let highest: [Double]?
        let lowest: [Double]?
        let codes: [Int]?

        private enum CodingKeys: String, CodingKey {
            case highest = "temperature_2m_max"
            case lowest = "temperature_2m_min"
            case codes = "weather_code"
        }
    }

    let current: Current
    let units: Units?
    let daily: Daily?

    private enum CodingKeys: String, CodingKey {
        case current, daily
        case units = "current_units"
    }
}
