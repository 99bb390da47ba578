extension WrongProgram {
    /// Uses of a chain: run, wait, observe.
    static let kept = [
        WrongProgram(
            "try forgotten",
            """
            _ = await Pipeline.run { FileLoadStep(url) }  // error
            """, says: "not marked with 'try'"),
        WrongProgram(
            "await forgotten",
            """
            _ = try Pipeline.run { FileLoadStep(url) }  // error
            """, says: "not marked with 'await'"),
        WrongProgram(
            "something else wanted of a run",
            """
            let city: City = try await Pipeline.run {  // error
                BlockStep { "text" }
                CountWords()
            }
            """, says: "'City'", "'Int'"),
        WrongProgram(
            "something else wanted of a kept one",
            """
            let load = Pipeline { FileLoadStep(url) }
            let city: City = try await load.run()  // error
            """, says: "'Data'", "'City'"),
        WrongProgram(
            "await forgotten at a kept one",
            """
            let load = Pipeline { FileLoadStep(url) }
            _ = try load.run()  // error
            """, says: "not marked with 'await'"),
        WrongProgram(
            "kept as another type",
            """
            let load: Pipeline<City> = Pipeline { FileLoadStep(url) }  // error
            """, says: "'City'", "'Data'"),
        WrongProgram(
            "steps for one that has some",
            """
            let load = Pipeline { FileLoadStep(url) }
            _ = try await load.run { CountWords() }  // error
            """, says: "'run' cannot be used on instance of type 'Pipeline<Data>'"),
        WrongProgram(
            "a key of another type than wanted",
            """
            let load = Pipeline { FileLoadStep(url) }
            let text: String = try await load.run(returning: .total)  // error
            """, says: "'Int'", "'String'"),
        WrongProgram(
            "a callback that takes something else",
            """
            let load = Pipeline { FileLoadStep(url) }
            load.onSuccess(on: .main) { (text: String) in print(text) }  // error
            """, says: "(String)", "(Data)"),
        WrongProgram(
            "a callback that takes nothing",
            """
            let load = Pipeline { FileLoadStep(url) }
            load.onSuccess { print("done") }  // error
            """, says: "expects 1 argument"),
        WrongProgram(
            "a callback for another error",
            """
            let load = Pipeline { FileLoadStep(url) }
            load.onFailure { (error: URLError) in print(error) }  // error
            """, says: "URLError", "PipelineError"),
        WrongProgram(
            "a callback with a mistake inside",
            """
            let load = Pipeline { FileLoadStep(url) }
            load.onEnd { outcome in print(outcome.valu) }  // error
            """, says: "'Outcome<Data>' has no member 'valu'"),
    ]
}
