/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: ManagedTaskHandle {
    let record: TaskRecord
    let control: ManagerCore

    init(_ record: TaskRecord, _ control: ManagerCore) {
        self.record = record
        self.control = control
    }

    /// The handle itself.
    public var erased: AnyTaskHandle { self }
}
