extension FlowPlan {
    /// A digest of what a task does: by its own words, those of the file that hold for all tasks, and the files that it runs.
    func meaning(of task: FlowTask) -> UInt64 {
        var meaning = FlowMeaning()
        meaning.add(file.meaning)
        meaning.add(task.meaning)
        if let path = inclusions[task.name], var inner = library[path] {
            inner.library = library
            for task in inner.file.tasks { meaning.add(inner.meaning(of: task)) }
        }
        return meaning.value
    }
}
