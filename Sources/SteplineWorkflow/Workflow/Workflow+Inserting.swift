import SteplineSupport

/// The addition of tasks without objects; short, because most tasks are added here.
extension Workflow {
    @usableFromInline
    func insert(_ name: String, _ work: TaskWork, _ links: [TaskLink], _ options: TaskOptions) throws -> Int32
    {
        var places: [Int32] = []
        var allowing: Set<Int32>?
        for link in links {
            try checkIsOwn(link.core, name)
            if !places.contains(link.index) { places.append(link.index) }
            // Most tasks allow no failure and need no set.
            if link.allowsFailure { allowing = (allowing ?? []).union([link.index]) }
        }
        return try places.withUnsafeBufferPointer {
            try insert(name, work, options, prerequisites: $0, allowing: allowing)
        }
    }

    @inlinable
    func add<Output: Sendable, Before>(
        _ name: String, _ work: TaskWork, following prerequisites: some Collection<TaskRef<Before>>,
        _ options: TaskOptions
    ) throws -> TaskRef<Output> {
        // On the stack: adding a task costs less than allocating memory.
        try withUnsafeTemporaryAllocation(of: Int32.self, capacity: prerequisites.count) { places in
            var count = 0
            next: for prerequisite in prerequisites {
                // A reference to another workflow has a position there, not here.
                if prerequisite.home !== home { try refuse(name) }
                // Few prerequisites are compared here; many are compared at once in `insert`.
                if count <= 16 {
                    for place in 0..<count where places[place] == prerequisite.index { continue next }
                }
                places[count] = prerequisite.index
                count += 1
            }
            let given = UnsafeBufferPointer(rebasing: places[..<count])
            return try TaskRef(
                home, insert(name, work, options, prerequisites: given, allowing: nil)
            )
        }
    }

    @usableFromInline
    func insert(
        _ name: String, _ work: TaskWork, _ options: TaskOptions,
        prerequisites: UnsafeBufferPointer<Int32> = .init(start: nil, count: 0), allowing: Set<Int32>? = nil,
        isCleanup: Bool = false
    ) throws -> Int32 {
        // Up to this number, each prerequisite was compared with all before it.
        if prerequisites.count > 17 {
            let once = distinct(Array(prerequisites))
            if once.count < prerequisites.count {
                return try once.withUnsafeBufferPointer {
                    try insert(
                        name, work, options, prerequisites: $0, allowing: allowing, isCleanup: isCleanup)
                }
            }
        }
        try check(options, name)
        var refusal: Refusal?
        let number = core.grow { machine, turn -> Int32 in
            // Checked and added in one transaction, so a name can't be taken in between.
            refusal = machine.refusal(of: name, after: prerequisites, isCleanup: isCleanup)
            // The number isn't used: the caller throws the refusal.
            guard refusal == nil else { return -1 }
            return machine.add(
                work.work, of: work.resultType, name, options, isCleanup ? .cleanup : [],
                after: prerequisites,
                allowing: allowing, &turn)
        }
        if let refusal { throw error(refusal, of: name) }
        return number
    }

    private func checkIsOwn(_ other: WorkflowCore, _ name: String) throws {
        if other !== core { try refuse(name) }
    }

    @usableFromInline
    func refuse(_ name: String) throws {
        throw WorkflowError(.foreignPrerequisite, name, "a prerequisite is not in \(self.name)")
    }
}

/// A closure to add as a task.
@usableFromInline
struct TaskWork: Sendable {
    let work: TaskPart.Work
    let resultType: any Sendable.Type

    @usableFromInline
    init(_ resultType: any Sendable.Type, _ body: @escaping @Sendable () throws -> any Sendable) {
        self.init(resultType, .closure(body))
    }

    init(_ resultType: any Sendable.Type, async body: @escaping @Sendable () async throws -> any Sendable) {
        self.init(resultType, .async(AsyncClosure(body)))
    }

    private init(_ resultType: any Sendable.Type, _ work: TaskPart.Work) {
        self.work = work
        self.resultType = resultType
    }

    static var nothing: TaskWork { TaskWork(Void.self, .nothing) }
}
