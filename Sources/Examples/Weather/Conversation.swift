import Foundation

/// Asks for a city, lists the matches, and shows the weather of the chosen one.
struct Conversation {
    let service: WeatherService

    func run() async throws {
        let queue = DispatchQueue(label: "weather.search")
        let (changes, changed) = AsyncStream.makeStream(of: Void.self)
        let search = CitySearch(service: service, queue: queue) { _ in changed.yield() }
        var answers = changes.makeAsyncIterator()
        while let name = ask("city (nothing to end): ") {
            try queue.sync { try search.search(name) }
            await answers.next()
            let (matches, problem) = queue.sync { (search.matches, search.problem) }
            if let problem { say(problem) }
            if matches.isEmpty, problem == nil { say("nothing has that name") }
            show(matches)
        }
    }

    private func show(_ matches: [CitySearch.Match]) {
        for (number, match) in matches.enumerated() {
            say("\(number + 1)  \(match.title)  \(match.city.details)")
        }
        guard let first = matches.first else { return }
        var chosen = first
        if matches.count > 1 {
            guard let answer = ask("which: "), let number = Int(answer), matches.indices.contains(number - 1)
            else { return }
            chosen = matches[number - 1]
        }
        say("\n\(chosen.city.title), \(chosen.city.details)")
        for line in chosen.page?.lines ?? ["its weather is not to be had"] { say("  \(line)") }
        say("")
    }

    /// Asks a question, and returns the answer; nil if it is empty.
    private func ask(_ question: String) -> String? {
        write(question)
        let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        return answer.isEmpty ? nil : answer
    }

    private func say(_ line: String) { write("\(line)\n") }

    /// Writes without buffering, so that a question appears before the answer is read.
    private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
