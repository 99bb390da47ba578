extension FlowManual {
    /// The section on test cases.
    static var testing: [String] {
        var lines = [
            ".SH TESTING",
            Roff.text(
                "The test cases of weather.json5 are the folders in weather.tests beside it. \"stepline run --record\" "
                    + "makes them, \"stepline test\" runs them. In a case are:"),
        ]
        for (name, description) in parts {
            lines += [".TP", ".B " + Roff.text(name), Roff.text(description)]
        }
        lines += [".PP", Roff.text("The keys of case.json5, none of which must be there:")]
        for key in FlowCase.keys.all {
            lines += [".TP", ".B " + Roff.text(key.name), Roff.text(key.description)]
        }
        return lines
    }

    private static let parts = [
        (
            "answers/",
            "The recorded answers, a file each, and manifest.json, their list. A file has the line of a request, its "
                + "headers and, behind \"> \", its body; an empty line; the status, the headers, an empty line, and "
                + "the body as it came. A line with !, a number of URLError and a text says what has ended an "
                + "answer. RUN in place of a method is the call of a program, whose headers are variables."
        ),
        ("inputs/", "The files that are there before the run."),
        (
            "expected/",
            "The run's output: saved files in files, values of tasks in results, and failures.txt where it "
                + "is to fail."
        ),
        ("case.json5", "The parts that the recording leaves out."),
    ]
}
