package import struct Foundation.URL

/// What a journal has to know of a task.
package struct JournalTask: Sendable {
    /// Its place, from 0.
    package let number: Int
    package let name: String
    /// The type of its result, where it is known.
    package internal(set) var resultType: (any Sendable.Type)?
    package let version: Int
    /// Whether its result is made again rather than kept.
    package let isRecomputed: Bool
    /// The files that it makes.
    package internal(set) var produces: [URL]
    /// Whether other runs may take its result over.
    package let isCached: Bool
    /// The type of the elements that it, or its tasks, are made for, if other runs may take over what is made of them.
    package internal(set) var elementType: (any Sendable.Type)?
    /// The element of a static list that it was added for.
    package internal(set) var element: (any Sendable)?
    package let isCondition: Bool
    package let isCleanup: Bool
    package let prerequisites: [Int]
    /// Which of them may fail.
    package let mayFail: [Bool]
    /// The workflow that it runs, if it runs one.
    package let subworkflow: Workflow?
    /// Whether the names in there stand for themselves, without the task's before them.
    package let isTransparent: Bool
}
