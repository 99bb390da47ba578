import Foundation
import Testing

/// The page of recipes, taken apart: under a heading for each a program and what it prints.
struct CookbookPage {
    let recipes: [(name: String, output: String)]

    init() throws {
        let page = BuiltExample.root.appending(path: "Sources/Stepline/Documentation.docc/Cookbook.md")
        recipes = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ").dropFirst()
            .compactMap { section in
                guard let file = section.firstMatch(of: /swift run Cookbook ([a-z-]+)/),
                    let block = section.components(separatedBy: "\n```text\n").dropFirst().last,
                    let output = block.components(separatedBy: "\n```").first
                else { return nil }
                return (String(file.1), output)
            }
    }

    /// The output of a recipe, as the page shows it.
    func output(of recipe: String) throws -> String {
        try #require(recipes.first { $0.name == recipe }, "the page has no recipe \(recipe)").output
    }
}
