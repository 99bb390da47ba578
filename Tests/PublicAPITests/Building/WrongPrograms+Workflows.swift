extension WrongProgram {
    /// Tasks and their closures.
    static let workflows = [
        WrongProgram(
            "more parameters than prerequisites",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.add("sum", after: one) { one, two in one + two }  // error
            """, says: "(Int)", "expects 1 argument, but 2 were used"),
        WrongProgram(
            "fewer parameters than prerequisites",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            let two = try workflow.add("two") { "two" }
            try workflow.add("sum", after: one, two) { one in one }  // error
            """, says: "(Int, String)", "expects 2 arguments, but 1 was used"),
        WrongProgram(
            "more parameters than prerequisites, in a group",
            """
            let group = Workflow("sum").group("numbers")
            let one = try group.add("one") { 1 }
            try group.add("sum", after: one) { one, two in one + two }  // error
            """, says: "(Int)", "expects 1 argument, but 2 were used"),
        WrongProgram(
            "no parameter for a prerequisite",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.add("sum", after: one) { 3 }  // error
            """, says: "expects 1 argument"),
        WrongProgram(
            "a parameter of another type",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.add("sum", after: one) { (one: String) in one }  // error
            """, says: "(String)", "(Int)"),
        WrongProgram(
            "a mistake inside a closure of a task",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            let two = try workflow.add("two") { "two" }
            try workflow.add("sum", after: one, two) { one, two in
                let sum = one + 1
                return sum + two  // error
            }
            """, says: "'Int' and 'String'"),
        WrongProgram(
            "a failure that is allowed taken for a value",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.add("sum", after: one.allowingFailure) { one in one + 1 }  // error
            """, says: "Result<Int, any Error>"),
        WrongProgram(
            "a prerequisite that is no task",
            """
            let workflow = Workflow("sum")
            try workflow.add("sum", after: "one") { one in one }  // error
            """, says: "'String'", "'TypedPrerequisite'"),
        WrongProgram(
            "try forgotten at a task",
            """
            let workflow = Workflow("sum")
            let one = workflow.add("one") { 1 }  // error
            """, says: "not marked with 'try'"),
        WrongProgram(
            "try forgotten in a task",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.add("half", after: one) { one in half(one) }  // error
            """, says: "not marked with 'try'"),
        WrongProgram(
            "a task kept as another type",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            let text: TaskRef<String> = try workflow.add("text", after: one) { one in one }  // error
            """, says: "'Int'", "'String'"),
        WrongProgram(
            "a name that is missing",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.add(after: one) { one in one }  // error
            """, says: "missing argument"),
        WrongProgram(
            "a map over what is no list",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.map("each", over: one) { number in number + 1 }  // error
            """, says: "'TaskRef<Int>'", "'Collection'"),
        WrongProgram(
            "a map whose closure takes something else",
            """
            let workflow = Workflow("sum")
            try workflow.map("each", over: ["a"]) { (number: Int) in number + 1 }  // error
            """, says: "'String'", "'Int'"),
        WrongProgram(
            "a step of a task's line",
            """
            let workflow = Workflow("sum")
            try workflow.addPipeline("count") {
                FileLoadStep(url)
                CountWords()  // error
            }
            """, says: "ThisStep<CountWords>.Taking<String>", "StepAfter<FileLoadStep>.Taking<Data>"),
        WrongProgram(
            "the first step of a line behind a task",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            try workflow.addPipeline("shout", after: one) {  // error
                Shout()
                CountWords()
            }
            """, says: "LineFrom<Shout>.Taking<String>", "LineGiven<Int>"),
        WrongProgram(
            "something else wanted of a task's result",
            """
            let workflow = Workflow("sum")
            let one = try workflow.add("one") { 1 }
            let text: String = try await one.value  // error
            """, says: "'Int'", "'String'"),
    ]

    /// Managers and their handles.
    static let managers = [
        WrongProgram(
            "something else wanted of a closure",
            """
            let text: String = try await TaskManager().run("three") { 3 }  // error
            """, says: "the closure makes another type than is expected"),
        WrongProgram(
            "await forgotten at a manager",
            """
            let three = try TaskManager().run("three") { 3 }  // error
            """, says: "not marked with 'await'"),
        WrongProgram(
            "something else wanted of a handle",
            """
            let handle = TaskManager().add("three") { 3 }
            let text: String = try await handle.value  // error
            """, says: "'Int'", "'String'"),
        WrongProgram(
            "a managed task that is none",
            """
            let handle = TaskManager().add(City(name: "Oslo"))  // error
            """, says: "'City'", "'ManagedTask'"),
        WrongProgram(
            "a wrong step of a managed line",
            """
            let count = try await TaskManager().run(
                Pipeline {
                    FileLoadStep(url)
                    CountWords()  // error
                })
            """, says: "ThisStep<CountWords>.Taking<String>", "StepAfter<FileLoadStep>.Taking<Data>"),
    ]
}
