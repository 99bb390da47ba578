/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: ManagedTaskHandle {
    let record: TaskRecord
    let manager: ManagerCore

    init(_ record: TaskRecord, _ manager: ManagerCore) {
        self.record = record
        self.manager = manager
    }

    /// The handle itself.
    public var erased: AnyTaskHandle { self }
}
