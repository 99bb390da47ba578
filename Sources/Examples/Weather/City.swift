/// A place, as the search for its name gives it.
struct City: Decodable, Sendable, Hashable {
    let name: String
    let country: String?
    let countryCode: String?
    let region: String?
    let latitude: Double
    let longitude: Double

    private enum CodingKeys: String, CodingKey {
        case name, country, latitude, longitude
        case countryCode = "country_code"
        case region = "admin1"
    }

    /// `Paris (FR)`.
    var title: String { countryCode.map { "\(name) (\($0))" } ?? name }

    /// What tells it from others of its name: `Texas, United States`.
    var details: String { [region, country].compactMap(\.self).joined(separator: ", ") }
}

/// The answer to a search; without `results` where nothing has that name.
struct CityList: Decodable, Sendable {
    let results: [City]?
}
