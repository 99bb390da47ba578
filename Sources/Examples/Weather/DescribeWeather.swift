import Stepline

/// Describes a forecast in words: a custom step is two types and `process`.
final class DescribeWeather: BasicStep<Forecast, WeatherPage>, @unchecked Sendable {
    override func process(_ forecast: Forecast) -> WeatherPage {
        let now = forecast.current
        let code = now.code ?? forecast.daily?.codes?.first
        return WeatherPage(
            description: code.map(Self.words) ?? "no description", temperature: now.temperature,
            lowest: forecast.daily?.lowest?.first, highest: forecast.daily?.highest?.first, wind: now.wind,
            windUnit: forecast.units?.wind ?? "km/h", humidity: now.humidity, pressure: now.pressure)
    }

    /// Returns the words for a code of the World Meteorological Organization.
    private static func words(_ code: Int) -> String {
        switch code {
        case 0: "clear sky"
        case 1, 2: "some clouds"
        case 3: "overcast"
        case 45, 48: "fog"
        case 51...57: "drizzle"
        case 61...67, 80...82: "rain"
        case 71...77, 85, 86: "snow"
        case 95...99: "thunderstorm"
        default: "weather \(code)"
        }
    }
}
