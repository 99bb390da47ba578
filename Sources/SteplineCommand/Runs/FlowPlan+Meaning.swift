extension FlowPlan {
    /// Returns a digest of a task's behaviour: its text, the file's settings for all tasks, and included files.
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
