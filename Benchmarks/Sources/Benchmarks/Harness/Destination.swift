import Foundation

/// Where results go.
enum Destination {
    /// On the page.
    case page
    /// Into a file, and nowhere else.
    case file(URL)
    /// Nowhere: they are printed.
    case nowhere

    /// `STEPLINE_BENCH_RESULTS` names a file, or is `-`; without it results are published, but for a trial's.
    static var chosen: Destination {
        switch ProcessInfo.processInfo.environment["STEPLINE_BENCH_RESULTS"] {
        case "-": .nowhere
        case let path?: .file(URL(filePath: path))
        case nil: Sizes.isTrial ? .nowhere : .page
        }
    }

    /// Takes in what was measured, in the order of all problems' names.
    func take(_ sections: [Results.Section], order names: [String]) throws {
        switch self {
        case .page:
            var results = try Results(from: Results.file)
            results.take(sections, order: names)
            try results.write(to: Results.file)
            try Page(folder: Results.folder).write(results)
            say("\nwritten to Benchmarks/results.json, Benchmarks/README.md and Benchmarks/charts")
        case .file(let file):
            var results = Results()
            results.take(sections, order: names)
            try results.write(to: file)
        case .nowhere:
            if Sizes.isTrial {
                say(
                    "\na trial, of sizes divided by \(Sizes.divisor): its figures mean nothing and aren't kept"
                )
            }
        }
    }
}
