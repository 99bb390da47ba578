/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: ManagedTaskHandle {
    let record: TaskRecord
    let control: any TaskControl

    init(_ record: TaskRecord, _ control: any TaskControl) {
        self.record = record
        self.control = control
    }

    /// The handle itself.
    public var erased: AnyTaskHandle { self }
}
