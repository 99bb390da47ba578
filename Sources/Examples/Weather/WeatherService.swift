import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The pipelines for cities and weather, and the addresses they load from.
struct WeatherService: Sendable {
    let search: URL
    let forecast: URL
    var options = PipelineOptions(retry: .exponential(attempts: 3), deadline: .seconds(30))

    /// The real service, which is free and needs no key.
    static let live = WeatherService(
        search: URL(string: "https://geocoding-api.open-meteo.com/v1/search"),
        forecast: URL(string: "https://api.open-meteo.com/v1/forecast"))

    /// Returns the cities with a name, the best match first.
    @StepChainBuilder
    func cities(named name: String) -> StepChain<Void, [City]> {
        URLLoadStep(
            search.appending(queryItems: [
                URLQueryItem(name: "name", value: name), URLQueryItem(name: "count", value: "5"),
            ]))
        JSONDecodeStep<CityList>().named("decode")
        BlockStep { (list: CityList) in list.results ?? [] }.named("list")
    }

    /// Returns the weather page of a city.
    @StepChainBuilder
    func page() -> StepChain<City, WeatherPage> {
        BlockStep { (city: City) in request(for: city) }.named("address")
        URLRequestStep()
        JSONDecodeStep<Forecast>().named("decode")
        DescribeWeather()
    }

    private func request(for city: City) -> URLRequest {
        let values = "temperature_2m,relative_humidity_2m,weather_code,pressure_msl,wind_speed_10m"
        let days = "weather_code,temperature_2m_max,temperature_2m_min"
        return URLRequest(
            url: forecast.appending(queryItems: [
                URLQueryItem(name: "latitude", value: "\(city.latitude)"),
                URLQueryItem(name: "longitude", value: "\(city.longitude)"),
                URLQueryItem(name: "current", value: values), URLQueryItem(name: "daily", value: days),
                URLQueryItem(name: "forecast_days", value: "1"),
                URLQueryItem(name: "timezone", value: "auto"),
            ]))
    }
}

extension WeatherService {
    private init(search: URL?, forecast: URL?) {
        self.init(search: search ?? URL(filePath: "/"), forecast: forecast ?? URL(filePath: "/"))
    }
}
