import Foundation

/// Lists the recipes, or runs one by name: `swift run Cookbook parse-a-feed URL`.
@main
struct Cookbook {
    static let recipes: [Recipe] = [
        Recipe("parse-a-feed", "URL") { try await ParseAFeed.run($0.url(), print: $1) },
        Recipe("load-a-thousand", "URL …") { try await LoadAThousand.run($0.urls, print: $1) },
        Recipe("find-dependencies", "SITE NAME") {
            try await FindDependencies.run($0.url(), $0.word(1), print: $1)
        },
        Recipe("crawl-a-site", "SITE FILE.runs") {
            try await CrawlASite.run($0.url(), file: $0.file(1), print: $1)
        },
        Recipe("send-a-form", "SITE") { try await SendAForm.run($0.url(), print: $1) },
        Recipe("convert-csv", "FILE.csv FILE.jsonl") {
            try ConvertCSV.run($0.file(), to: $0.file(1), print: $1)
        },
        Recipe("show-progress", "URL …") { words, _ in
            try await ShowProgress.run(words.urls) { bar in
                FileHandle.standardOutput.write(Data("\r\(bar)".utf8))
            }
            print()
        },
        Recipe("feed-model", "URL") { words, print in
            let model = await FeedModel()
            await model.load(try words.url())
            for title in await model.titles { print(title) }
            if let problem = await model.problem { print(problem) }
        },
        Recipe("answer-requests", "URL SLOW-URL") { words, print in
            try await AnswerRequests.run(words.url(), slow: words.url(1), clientLeaves: aSecond, print: print)
        },
        Recipe("test-retries") { try await TestRetries.run(print: $1) },
        Recipe("write-a-step", "LOG") { try await WriteAStep.run($0.file(), print: $1) },
        Recipe("intercept-requests", "URL") { try await InterceptRequests.run($0.url(), print: $1) },
        Recipe("write-a-transport", "URL") { try await WriteATransport.run($0.url(), print: $1) },
        Recipe("join-results") { try await JoinResults.run(print: $1) },
        Recipe("wait-for-consent") { try await WaitForConsent.run(answer: true, print: $1) },
        Recipe("share-a-limit") { try await ShareALimit.run(print: $1) },
        Recipe("resume-after-a-kill", "SITE FILE.runs") { words, print in
            try await ResumeAfterAKill.run(words.url(), file: words.file(1), kill: aSecond, print: print)
        },
        Recipe("read-pages", "URL") { try await ReadPages.run($0.url(), print: $1) },
        Recipe("be-polite", "FOLDER URL …") { words, print in
            let urls = Recipe.Words(words: Array(words.words.dropFirst())).urls
            try await BePolite.run(urls, folder: words.file(), print: print)
        },
        Recipe("live-with-failures", "SITE") { try await LiveWithFailures.run($0.url(), print: $1) },
        Recipe("watch-a-run", "FILE.html") { try await WatchARun.run(picture: $0.file(), print: $1) },
    ]

    private static func aSecond() async { try? await Task.sleep(for: .seconds(1)) }

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard let recipe = recipes.first(where: { $0.name == words.first }) else {
            print("usage: Cookbook RECIPE [ARGUMENT …]\n")
            for recipe in recipes { print("  \(recipe.name) \(recipe.takes)") }
            exit(words.isEmpty ? 0 : 64)
        }
        do {
            try await recipe.cook(.init(words: Array(words.dropFirst()))) { print($0) }
        } catch is Recipe.TooFew {
            print("usage: Cookbook \(recipe.name) \(recipe.takes)")
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
