import SteplineJSON
import SteplinePipeline

/// An element of a mapped task's list.
struct FlowElement: Sendable, Codable {
    /// The longest key, in characters.
    private static let longestKey = 80

    /// The index in the list; nil for an element of a growing map.
    private let number: Int?
    /// The unique name of the element in messages.
    let key: String
    private let kept: FlowValue

    init(_ number: Int?, _ key: String, _ value: JSON) {
        self.number = number
        self.key = key
        kept = .json(value)
    }

    var value: JSON { (try? kept.forFormulas()) ?? .null }

    /// Returns the elements of a task's list.
    static func list(of task: FlowTask, _ plan: FlowPlan, _ bag: Content) throws -> [FlowElement] {
        guard let map = task.map else { return [] }
        let scope = FlowScope(setting: plan.setting, bag: bag, input: nil)
        do {
            var list = try plan.setting.telling("map", at: map.offset) {
                let value = try map.list.value(by: scope.evaluator())
                let elements = try map.combined == nil ? value.array : FlowMatrix(value).elements()
                guard let elements else { throw FlowError("expected a list, not \(value.article)") }
                if plan.isKept { try plan.setting.secrets.checkKept(.json(value)) }
                try plan.keep(.json(value), of: task, made: scope.budget.made)
                return elements
            }
            list = try kept(list, map, plan, bag, scope.budget)
            guard !task.grows else { return try growing(from: list, map, plan, bag, scope.budget) }
            var known: [String: Int] = [:]
            return try list.enumerated().map { number, element in
                let text = try key(of: element, number, map, plan, bag, scope.budget)
                return FlowElement(number, unique(text, &known), element)
            }
        } catch {
            throw plan.setting.secrets.hidden(error)
        }
    }

    /// Returns the elements that `except` doesn't omit.
    static func kept(
        _ list: [JSON], _ map: FlowMap, _ plan: FlowPlan, _ bag: Content, _ budget: ExpressionBudget
    ) throws -> [JSON] {
        guard let formula = map.except else { return list }
        return try plan.setting.telling("except", at: formula.root.offset) {
            try list.filter { try !isLeftOut($0, by: formula, plan, bag, budget) }
        }
    }

    private static func isLeftOut(
        _ element: JSON, by formula: FlowExpression, _ plan: FlowPlan, _ bag: Content,
        _ budget: ExpressionBudget
    ) throws -> Bool {
        var bag = bag
        bag[.item] = element
        let verdict = try value(of: formula, element, plan, bag, budget)
        guard let isLeftOut = verdict.bool else {
            throw FlowError("expected true or false, not \(verdict.article)")
        }
        return isLeftOut
    }

    /// Returns the name of an element: by the file's formula, else its text or combination, else its number.
    private static func key(
        of element: JSON, _ number: Int, _ map: FlowMap, _ plan: FlowPlan, _ bag: Content,
        _ budget: ExpressionBudget
    ) throws -> String {
        guard let formula = map.key else { return plain(name(of: element, map) ?? "\(number)", plan) }
        var bag = bag
        bag[.index] = number
        return plain(try key(of: element, by: formula, plan, bag, budget), plan)
    }

    /// Returns the text of an element, or of its combination; nil for other values.
    private static func name(of element: JSON, _ map: FlowMap) -> String? {
        map.combined == nil ? element.asText : FlowMatrix.name(of: element)
    }

    /// Returns the value of the formula for keys.
    static func key(
        of element: JSON, by formula: FlowExpression, _ plan: FlowPlan, _ bag: Content,
        _ budget: ExpressionBudget
    ) throws -> String {
        var bag = bag
        bag[.item] = element
        return try plan.setting.telling("key", at: formula.root.offset) {
            let key = try value(of: formula, element, plan, bag, budget)
            guard let text = key.asText else {
                throw FlowError("expected a text or a number, not \(key.article)")
            }
            return text
        }
    }

    private static func value(
        of formula: FlowExpression, _ element: JSON, _ plan: FlowPlan, _ bag: Content,
        _ budget: ExpressionBudget
    ) throws -> JSON {
        try FlowScope(setting: plan.setting, bag: bag, input: .json(element), budget: budget).evaluator()
            .value(of: formula)
    }

    /// Returns a text in one line, shortened, and without secrets.
    private static func plain(_ text: String, _ plan: FlowPlan) -> String {
        let line = Session.oneLine(plan.setting.secrets.redactor.redacted(text) ?? text)
        return line.count > longestKey ? line.prefix(longestKey - 1) + "…" : line
    }

    private static func unique(_ key: String, _ known: inout [String: Int]) -> String {
        var name = key
        while known[name] != nil {
            known[key, default: 1] += 1
            name = "\(key) (\(known[key] ?? 1))"
        }
        known[name] = 1
        return name
    }

    /// Runs the task's steps for the element; charges its result, and returns it as JSON.
    ///
    /// - Parameters:
    ///   - task: The mapped task.
    ///   - plan: The plan of its file.
    ///   - bag: The results of the task's prerequisites.
    ///   - grow: Called with what a step `grow` has found.
    func run(
        _ task: FlowTask, _ plan: FlowPlan, _ bag: Content,
        grow: (@Sendable ([JSON]) throws -> Void)? = nil
    ) async throws -> FlowResult {
        let name = Self.name(key, in: plan.fullName(task.name))
        let result = try await FlowChain(task, in: plan).run(self.bag(bag), named: name, grow: grow)
        try plan.keep(element: result, of: task)
        return FlowResult(value: .json(try result.value.forFormulas()), files: result.files)
    }

    /// Returns the content for the element's formulas.
    func bag(_ bag: Content) -> Content {
        var bag = bag
        bag[.item] = value
        bag[.index] = number
        bag[.flow] = kept
        return bag
    }

    /// Returns the task name of an element.
    static func name(_ key: String, in task: String) -> String { "\(task)[\(key)]" }
}
