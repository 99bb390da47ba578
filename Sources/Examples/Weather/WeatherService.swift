import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The two pipelines everything is made of, and where they load from.
struct WeatherService: Sendable {
    let search: URL
    let forecast: URL
    var options = PipelineOptions(retry: .exponential(attempts: 3), timeout: .seconds(30))

    /// The real service, free of charge and without a key.
    static let live = WeatherService(
        search: URL(string: "https://geocoding-api.open-meteo.com/v1/search"),
        forecast: URL(string: "https://api.open-meteo.com/v1/forecast"))

    /// Gives the cities of a name, the best match first.
    func cities(named name: String) -> Pipeline {
        let url = search.appending(queryItems: [
            URLQueryItem(name: "name", value: name), URLQueryItem(name: "count", value: "5"),
        ])
        return Pipeline("cities", options: options) {
            URLLoadStep(url)
            JSONDecodeStep<CityList>().named("decode")
            BlockStep { (list: CityList) in list.results ?? [] }.named("list")
        }
    }

    /// Gives the weather page of the city in the bag.
    func page(content: Content = Content()) -> Pipeline {
        Pipeline("forecast", content: content, options: options) {
            BlockStep { (city: City) in request(for: city) }.named("address")
            URLRequestStep()
            JSONDecodeStep<Forecast>().named("decode")
            DescribeWeather()
        }
    }

    /// Gives the weather page of that city.
    func page(of city: City) -> Pipeline {
        var content = Content()
        content.bodyObject = city
        return page(content: content)
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
