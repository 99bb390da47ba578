import SteplineJSON
import SteplinePipeline

/// A step that makes a value of the one before.
final class FlowWorkStep: BasicStep<FlowValue?, FlowValue>,
    @unchecked Sendable  // all that is stored is constant
{
    typealias Work = @Sendable (FlowScope) throws -> FlowValue

    private let setting: FlowSetting
    private let names: [FlowExpression.Reference]
    private let work: Work

    init(_ setting: FlowSetting, reading names: [FlowExpression.Reference], _ work: @escaping Work) {
        self.setting = setting
        self.names = names
        self.work = work
        super.init()
    }

    override var inputKey: ContentKey<FlowValue?> { .init(ContentKey.flow.name) }
    override var outputKey: ContentKey<FlowValue> { .flow }

    override var inputs: [AnyContentKey] { super.inputs + names.declared }

    override func makeCopy() -> any Step {
        let copy = FlowWorkStep(setting, reading: names, work)
        copy.takeOptions(of: self)
        return copy
    }

    override func process(_ input: FlowValue?) throws -> FlowValue {
        let context = context
        let scope = FlowScope(setting: setting, bag: content, input: input) {
            try context.checkCancellation()
        }
        return try scope.locating { try work(scope) }
    }
}

/// A step that waits for something, and makes a value of the one before.
final class FlowWaitStep: AsyncStep<FlowValue?, FlowValue>,
    @unchecked Sendable  // all that is stored is constant
{
    typealias Work = @Sendable (FlowScope) async throws -> FlowValue

    private let setting: FlowSetting
    private let names: [FlowExpression.Reference]
    private let work: Work

    init(_ setting: FlowSetting, reading names: [FlowExpression.Reference], _ work: @escaping Work) {
        self.setting = setting
        self.names = names
        self.work = work
        super.init()
    }

    override var inputKey: ContentKey<FlowValue?> { .init(ContentKey.flow.name) }
    override var outputKey: ContentKey<FlowValue> { .flow }

    override var inputs: [AnyContentKey] { super.inputs + names.declared }

    override func makeCopy() -> any Step {
        let copy = FlowWaitStep(setting, reading: names, work)
        copy.takeOptions(of: self)
        return copy
    }

    override func process(_ input: FlowValue?) async throws -> FlowValue {
        try await work(FlowScope(setting: setting, bag: content, input: input))
    }
}

extension [FlowExpression.Reference] {
    /// The entries of the bag that the names stand for; all may be absent, as a prerequisite may fail.
    var declared: [AnyContentKey] {
        compactMap { reference in
            switch reference.name {
            case .task(let name): ContentKey<FlowValue?>(ContentKey.result(of: name).name).erased
            case .item: ContentKey<JSON?>(ContentKey.item.name).erased
            case .index: ContentKey<Int?>(ContentKey.index.name).erased
            case .run: ContentKey<JSON?>(ContentKey.run.name).erased
            case .it, .parameter, .secret: nil
            }
        }
    }
}
