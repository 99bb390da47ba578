// Types of the intermediate values of builders. Their names form the compiler's message about a wrong step:
//
//     cannot convert value of type 'ThisStep<Shout>.Taking<String>'
//     to expected argument type 'StepBehind<URLLoadStep>.Taking<Data>'

/// A step of a line; only builders create this value.
public enum ThisStep<Member: StepInLine> {
    /// The step and its input type.
    public struct Taking<Input: Sendable>: StepInLine {
        /// The step as a line.
        public let line: StepChain<Member.Input, Member.Output>
    }
}

/// A step that would fit after `Before`; never created.
public enum StepAfter<Before> {
    /// A step that reads the output of `Before`.
    public struct Taking<Input> {}
}

/// A line with a known first step; only builders create this value.
public enum LineFrom<First: StepInLine> {
    /// The input type of the first step.
    public enum Taking<Input: Sendable> {
        /// The line with a known last step.
        public struct To<Last: StepInLine>: StepInLine {
            // Declare both types explicitly: the compiler then prints the line's name in its messages.
            /// The input type of the first step.
            public typealias Input = First.Input
            /// The output type of the last step.
            public typealias Output = Last.Output

            /// The steps of the line.
            public let line: StepChain<First.Input, Last.Output>
        }
    }
}

/// A line that takes only the given input; never created.
public struct LineGiven<Given> {}

/// The optional steps of an `if`, whose input and output types are the same; only builders create this value.
public struct StepsOfIf<Steps: StepInLine>: StepInLine {
    /// The steps of the line; empty if the condition was false.
    public let line: StepChain<Steps.Input, Steps.Input>
}

/// The steps of one of two branches with the same input and output types; only builders create this value.
public struct StepsOfEither<First: StepInLine, Second: StepInLine>: StepInLine {
    /// The steps of the chosen branch.
    public let line: StepChain<First.Input, First.Output>
}

/// The steps of a loop, whose input and output types are the same; only builders create this value.
public struct StepsOfLoop<Steps: StepInLine>: StepInLine {
    /// The steps of all rounds.
    public let line: StepChain<Steps.Input, Steps.Input>
}
