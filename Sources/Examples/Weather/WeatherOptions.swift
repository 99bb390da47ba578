import Foundation

/// The command line options.
struct WeatherOptions: Equatable {
    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: Weather [--live] [--fixtures FOLDER] [--report FILE] [CITY …]

          CITY …             print a table of these; without any, ask for one
          --live             ask the real service, instead of playing it from the fixtures
          --fixtures FOLDER  where the answers lie (Fixtures/weather)
          --report FILE      write what the run looked like: .html for a browser, .svg, .dot, .mmd, .json
        """

    var isLive = false
    var fixtures = URL(filePath: "Fixtures/weather")
    var report: URL?
    var cities: [String] = []

    init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--live": isLive = true
            case "--fixtures": fixtures = try Self.file(after: argument, &rest)
            case "--report": report = try Self.file(after: argument, &rest)
            case _ where argument.hasPrefix("-"): throw Misuse(description: Self.usage)
            default: cities.append(argument)
            }
        }
    }

    private static func file(after option: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> URL {
        guard let path = rest.popFirst() else {
            throw Misuse(description: "\(option) needs a path\n\(usage)")
        }
        return URL(filePath: path)
    }
}
