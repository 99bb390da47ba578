extension Content {
    /// What is wrong with the entry under a key; nil if it is there and of the key's type.
    ///
    /// Runs nothing of a user's, so that it can be asked under a lock. A container must therefore be of the very type:
    /// casting one may hash what is in it.
    func fault<Value>(under key: ContentKey<Value>) -> PipelineError? {
        switch key.slot {
        case .wholeBag, .nothing: return nil
        case .bodyData, .bodyObject, .entry: break
        }
        guard let found = storedValue(key.slot, key.name) else {
            return isOptional(Value.self) ? nil : .missingInput(key.erased)
        }
        let type = type(of: found)
        if type == Value.self { return nil }
        let fits = type is any ContainerType.Type ? type == key.erased.presentType : found is Value
        return fits ? nil : .typeMismatch(key.erased, found: type)
    }
}
