extension FlowManual {
    /// The section on test cases.
    static var testing: [String] {
        var lines = [
            ".SH TESTING",
            Roff.text(
                "The test cases of weather.json5 are the folders in weather.tests beside it. \"stepline run --record\" "
                    + "creates a case, \"stepline test\" runs it. Its parts:"),
        ]
        for (name, description) in parts {
            lines += [".TP", ".B " + Roff.text(name), Roff.text(description)]
        }
        lines += [".PP", Roff.text("The keys of case.json5, all optional:")]
        for key in FlowCase.keys.all {
            lines += [".TP", ".B " + Roff.text(key.name), Roff.text(key.description)]
        }
        return lines
    }

    private static let parts = [
        (
            "answers/",
            "The recorded answers, one per file, and their list, manifest.json. A file has the request line, the "
                + "headers and, after \"> \", the body; an empty line; the status, the headers, an empty line, and "
                + "the unchanged body. A line with !, a URLError code and a text is the error that ended the "
                + "answer. The method RUN is a program call; its headers are environment variables."
        ),
        ("inputs/", "The files that exist before the run."),
        (
            "expected/",
            "The run's output: saved files in files, task values in results, and failures.txt if it "
                + "should fail."
        ),
        ("case.json5", "Settings that the recording lacks."),
    ]
}
