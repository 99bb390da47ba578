extension WrongProgram {
    /// A step that doesn't fit, wherever it stands.
    static let pipelines = [
        WrongProgram(
            "first, with nothing before it",
            """
            _ = try await Pipeline.run {  // error
                JSONDecodeStep<City>()
                JSONEncodeStep<City>()
            }
            """, says: "JSONDecodeStep<City>", "Taking<Data>", "LineGiven<Void>"),
        WrongProgram(
            "in the middle, a class",
            """
            _ = try await Pipeline.run {
                URLLoadStep(url)
                Shout()  // error
                CountWords()
            }
            """, says: "ThisStep<Shout>.Taking<String>", "StepAfter<URLLoadStep>.Taking<Data>"),
        WrongProgram(
            "in the middle of a kept line",
            """
            let kept = Pipeline {
                URLLoadStep(url)
                Shout()  // error
                CountWords()
            }
            """, says: "ThisStep<Shout>.Taking<String>", "StepAfter<URLLoadStep>.Taking<Data>"),
        WrongProgram(
            "in the middle of eight",
            """
            _ = try await Pipeline.run {
                URLLoadStep(url).retrying(.exponential(attempts: 3))
                BlockStep { (data: Data) in String(decoding: data, as: UTF8.self) }
                Shout()
                CountWords().step().timeout(.seconds(3))
                BlockStep { (text: String) in text.uppercased() }  // error
                BlockStep { (text: String) in text.count }
                BlockStep { (number: Int) in number * 2 }
                BlockStep { (number: Int) in "\\(number)" }
            }
            """, says: "ThisStep<BlockStep<String, String>>.Taking<String>", "Taking<Int>"),
        WrongProgram(
            "last, XML behind JSON",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                JSONParseStep()
                XMLQueryStep(.strings("//a"))  // error
            }
            """, says: "ThisStep<XMLQueryStep<[String]>>.Taking<XML.Document>",
            "StepAfter<JSONParseStep>.Taking<JSON>"),
        WrongProgram(
            "last, a query without what it gives, behind JSON",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                JSONParseStep()
                XMLQueryStep("//a")  // error
            }
            """, says: "XMLQueryStep", "Taking<XML.Document>", "StepAfter<JSONParseStep>.Taking<JSON>"),
        WrongProgram(
            "last, a body behind an async step",
            """
            _ = try await Pipeline.run("ask") {
                BlockStep { "text" }
                Ask()
                CountWords()  // error
            }
            """, says: "ThisStep<CountWords>.Taking<String>", "StepAfter<Ask>.Taking<City>"),
        WrongProgram(
            "a closure that takes something else",
            """
            let load = Pipeline("load", options: PipelineOptions(deadline: .seconds(3))) {
                FileLoadStep(url)
                BlockStep { (text: String) in text.count }  // error
            }
            """, says: "ThisStep<BlockStep<String, Int>>.Taking<String>",
            "StepAfter<FileLoadStep>.Taking<Data>"),
        WrongProgram(
            "a value behind one that may be absent",
            """
            _ = try await Pipeline.run {
                BlockStep { Int("3") }
                BlockStep { (number: Int) in number + 1 }  // error
            }
            """, says: "ThisStep<BlockStep<Int, Int>>.Taking<Int>", "Taking<Int?>"),
        WrongProgram(
            "a list where one is made",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                JSONDecodeStep<City>()
                JSONEncodeStep<[City]>()  // error
            }
            """, says: "ThisStep<JSONEncodeStep<[City]>>.Taking<[City]>",
            "StepAfter<JSONDecodeStep<City>>.Taking<City>"),
        WrongProgram(
            "behind content of one's own",
            """
            _ = try await Pipeline.run(content: Content()) {
                JSONDecodeStep<City>()
                CountWords()  // error
            }
            """, says: "ThisStep<CountWords>.Taking<String>", "StepAfter<JSONDecodeStep<City>>.Taking<City>"),
        WrongProgram(
            "behind a step that reads a key",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                CountWords().reading(.article)
                Shout()  // error
            }
            """, says: "ThisStep<Shout>.Taking<String>", "Taking<Int>"),
        WrongProgram(
            "a step that writes a key",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                CountWords().writing(.total)  // error
            }
            """, says: "WritingStep<String, Int>", "StepAfter<FileLoadStep>.Taking<Data>"),
        WrongProgram(
            "under an if, one that makes something else than it takes",
            """
            _ = try await Pipeline.run {
                BlockStep { "text" }
                if isOn { CountWords() }  // error
            }
            """, says: "CountWords", "'String'", "'Int'"),
        WrongProgram(
            "under an if, the second",
            """
            _ = try await Pipeline.run {
                BlockStep { "text" }
                if isOn {
                    Shout()
                    JSONParseStep()  // error
                }
            }
            """, says: "ThisStep<JSONParseStep>.Taking<Data>", "StepAfter<Shout>.Taking<String>"),
        WrongProgram(
            "an if that doesn't fit",
            """
            _ = try await Pipeline.run {
                FileLoadStep(url)
                if isOn { Shout() }  // error
            }
            """, says: "StepsOfIf", "Shout", "Taking<String>", "StepAfter<FileLoadStep>.Taking<Data>"),
        WrongProgram(
            "two ways that make different things",
            """
            _ = try await Pipeline.run {
                BlockStep { "text" }
                if isOn { CountWords() } else { Shout() }  // error
            }
            """, says: "CountWords", "Shout", "'Int'", "'String'"),
        WrongProgram(
            "in a loop",
            """
            _ = try await Pipeline.run {
                BlockStep { "text" }
                for _ in 0..<3 { CountWords() }  // error
            }
            """, says: "CountWords", "'String'", "'Int'"),
        WrongProgram(
            "behind a constant among the steps",
            """
            _ = try await Pipeline.run {
                let step = FileLoadStep(url)
                step
                CountWords()  // error
            }
            """, says: "ThisStep<CountWords>.Taking<String>", "StepAfter<FileLoadStep>.Taking<Data>"),
    ]
}
