extension WrongProgram {
    /// A step that is wrong in itself, and what is no step.
    static let steps = [
        WrongProgram(
            "a key of another type to read",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                CountWords().reading(.total)  // error
            }
            """, says: "total", "ContentKey<Int>", "ContentKey<String>"),
        WrongProgram(
            "a key of another type to write",
            """
            let kept = Pipeline {
                BlockStep { "text" }
                Shout().writing(.total)  // error
            }
            """, says: "total", "ContentKey<Int>", "ContentKey<String>"),
        WrongProgram(
            "a key that there is not",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                CountWords().reading(.artikle)  // error
            }
            """, says: "'ContentKey<String>' has no member 'artikle'"),
        WrongProgram(
            "a closure that makes something else than its key holds",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                BlockStep(to: .total) { (data: Data) in "text" }  // error
            }
            """, says: "'String'", "'Int'"),
        WrongProgram(
            "a closure without the type of what it takes",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                BlockStep { data in data.count }  // error
            }
            """, says: "'data' without a type annotation"),
        WrongProgram(
            "a mistake inside a closure",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                BlockStep { (data: Data) in
                    let text = String(decoding: data, as: UTF8.self)
                    return text.uppercase()  // error
                }
                CountWords()
            }
            """, says: "'String' has no member 'uppercase'"),
        WrongProgram(
            "try forgotten in a closure",
            """
            _ = try await Pipeline.run {
                BlockStep { 3 }
                BlockStep { (number: Int) in half(number) }  // error
            }
            """, says: "not marked with 'try'"),
        WrongProgram(
            "await forgotten in a closure",
            """
            _ = try await Pipeline.run {
                BlockStep { 3 }
                BlockStep { (number: Int) in slowHalf(number) }  // error
            }
            """, says: "'async' call"),
        WrongProgram(
            "a type that can't be decoded",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                JSONDecodeStep<Opaque>()  // error
            }
            """, says: "'Opaque'", "'Decodable'"),
        WrongProgram(
            "no type to decode",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                JSONDecodeStep()  // error
            }
            """, says: "'T' could not be inferred"),
        WrongProgram(
            "a query without what it gives",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                XMLParseStep()
                XMLQueryStep("//a")  // error
            }
            """, says: "a query says what it gives", #".strings("//a")"#),
        WrongProgram(
            "a step misspelled",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                JSONDecodStep<City>()  // error
            }
            """, says: "cannot find 'JSONDecodStep'"),
        WrongProgram(
            "an option misspelled",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url).retrying(.exponental(attempts: 3))  // error
                JSONDecodeStep<City>()
            }
            """, says: "'RetryPolicy' has no member 'exponental'"),
        WrongProgram(
            "a label misspelled",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url, option: [])  // error
                JSONDecodeStep<City>()
            }
            """, says: "option:", "options:"),
        WrongProgram(
            "a path in place of a URL",
            """
            _ = try await Pipeline.run {
                FileLoadStep("/none")  // error
                JSONDecodeStep<City>()
            }
            """, says: "'String'", "'URL'"),
        WrongProgram(
            "a value in place of a step",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                "text"  // error
            }
            """, says: "'String'", "'Step'"),
        WrongProgram(
            "a type in place of a step",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                CountWords  // error
            }
            """, says: "CountWords.Type", "'Step'"),
        WrongProgram(
            "a list of steps in place of one",
            """
            let steps: [any Step] = [FileLoadStep(url)]
            _ = try await Pipeline.run {
                steps  // error
            }
            """, says: "'[any Step]'", "'Step'"),
        WrongProgram(
            "a step of one's own without types",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                Knock()  // error
            }
            """, says: "the types of this step aren't known", "byKeys()"),
        WrongProgram(
            "a line without steps",
            """
            _ = try await Pipeline.run {  // error
            }
            """, says: "a line has one step at least"),
        WrongProgram(
            "a body with another function",
            """
            struct Wrong: StepBody {  // error
                func proces(_ text: String) -> Int { 3 }
            }
            """, says: "'Wrong' does not conform to protocol 'StepBody'"),
        WrongProgram(
            "a class that overrides for another type",
            """
            final class Wrong: BasicStep<String, Int>, @unchecked Sendable {
                override func process(_ data: Data) throws -> Int { 3 }  // error
            }
            """, says: "does not override"),
    ]
}
