import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// The elements of a growing map: the first ones of its list, and those that the step `grow` finds.
///
/// The key decides whether an element is known. A long key ends in a hash of the whole key. A key with a secret is refused,
/// because redacted keys of different elements may be equal.
extension FlowElement {
    /// The longest key that is a name as it is, in bytes.
    private static let longestKey = 512
    /// The beginning of a longer key that is kept, in Unicode scalars.
    private static let longestStart = 100

    /// Returns the elements of a list of values.
    static func growing(
        from list: [JSON], _ map: FlowMap, _ plan: FlowPlan, _ bag: Content, _ budget: ExpressionBudget
    ) throws -> [FlowElement] {
        try list.map { element in
            let key = try map.key.map { try Self.key(of: element, by: $0, plan, bag, budget) }
            let text = key ?? identity(of: element)
            if !plan.setting.secrets.redactor.isEmpty {
                try checkSecrets(in: text, plan)
                if plan.isKept { try plan.setting.secrets.checkKept(.json(element)) }
            }
            return FlowElement(nil, shortened(text), element)
        }
    }

    /// Returns a text that only equal elements have: a string as it is, anything else as JSON.
    private static func identity(of element: JSON) -> String {
        // A string that reads like another value is quoted.
        guard let text = element.string, (try? JSON(parsing: text)) == nil else { return element.description }
        return text
    }

    private static func checkSecrets(in key: String, _ plan: FlowPlan) throws {
        guard let name = plan.setting.secrets.redactor.firstSecret(in: Array(key.utf8)) else { return }
        throw FlowError("the key of an element contains the secret \"\(name)\": give a key without it")
    }

    private static func shortened(_ key: String) -> String {
        guard key.utf8.count > longestKey || key.unicodeScalars.contains(where: \.isControl) else {
            return key
        }
        let hash = Array(key.utf8).withUnsafeBytes { SHA256.digits(SHA256.hash($0).prefix(16)) }
        return Session.oneLine(String(key.unicodeScalars.prefix(longestStart))) + "…" + hash
    }

    /// Returns the body of a growing map's elements: runs the steps of its task, and adds what they find.
    ///
    /// - Parameters:
    ///   - task: The task, with a step `grow`.
    ///   - plan: The plan of its file.
    ///   - bag: Returns the results of the task's prerequisites.
    static func growing(
        _ task: FlowTask, in plan: FlowPlan, bag: @escaping @Sendable () -> Content
    ) -> @Sendable (FlowElement, GrowingList<FlowElement>) async throws -> FlowResult {
        { element, more in
            try plan.take(1, elementsOf: task)
            try plan.keep(ExpressionBudget.size(of: element.value), of: task)
            let bag = bag()
            return try await element.run(task, plan, bag) { found in
                guard let map = task.map else { return }
                let budget = ExpressionBudget()
                let values = try kept(found, map, plan, bag, budget)
                more.add(try growing(from: values, map, plan, bag, budget))
            }
        }
    }
}

extension FlowMap {
    /// The maximum number of elements of a growing map.
    var mostElements: Int { most ?? Self.standardMost }
}

extension FlowPlan {
    /// Warns if a growing map has found more elements than it may have.
    func warnIfFull(_ task: FlowTask, _ grown: SubworkflowTask) {
        guard let most = task.map?.mostElements, grown.hasRefusedElements else { return }
        warn("\(fullName(task.name)) has reached most, \(most) elements: further ones are ignored")
    }
}
