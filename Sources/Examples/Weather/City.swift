/// A city, as returned by the search for a name.
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

    /// The details that distinguish cities of the same name: `Texas, United States`.
    var details: String { [region, country].compactMap(\.self).joined(separator: ", ") }
}

/// The response to a search; `results` is missing if no city matches.
struct CityList: Decodable, Sendable {
    let results: [City]?
}
