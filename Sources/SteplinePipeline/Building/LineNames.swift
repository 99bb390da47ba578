// What builders make of a line, piece by piece. The types are named for what the compiler says of a wrong step:
//
//     cannot convert value of type 'ThisStep<Shout>.Taking<String>'
//     to expected argument type 'StepBehind<URLLoadStep>.Taking<Data>'

/// A step of a line; made by builders only.
public enum ThisStep<Member: StepInLine> {
    /// The step, and what it takes.
    public struct Taking<Input: Sendable>: StepInLine {
        /// The step as a line.
        public let line: StepChain<Member.Input, Member.Output>
    }
}

/// What would fit behind a step; never made.
public enum StepBehind<Before> {
    /// A step that takes what that step makes.
    public struct Taking<Input> {}
}

/// A line, by its first step; made by builders only.
public enum LineFrom<First: StepInLine> {
    /// What the first step takes.
    public enum Taking<Input: Sendable> {
        /// The line, by its last step.
        public struct To<Last: StepInLine>: StepInLine {
            // Spelled out, as the compiler then names the line where it tells of them.
            /// What the first step takes.
            public typealias Input = First.Input
            /// What the last step makes.
            public typealias Output = Last.Output

            /// The steps of the line.
            public let line: StepChain<First.Input, Last.Output>
        }
    }
}

/// A line that takes no more than it is given; never made.
public struct LineGiven<Given> {}

/// Steps under an `if`, which may be left out, as they make what they take; made by builders only.
public struct StepsOfIf<Steps: StepInLine>: StepInLine {
    /// The steps, or none.
    public let line: StepChain<Steps.Input, Steps.Input>
}

/// One of two ways, which take and make the same; made by builders only.
public struct StepsOfEither<First: StepInLine, Second: StepInLine>: StepInLine {
    /// The way that is taken.
    public let line: StepChain<First.Input, First.Output>
}

/// Steps in a loop, which make what they take; made by builders only.
public struct StepsOfLoop<Steps: StepInLine>: StepInLine {
    /// The steps of all rounds.
    public let line: StepChain<Steps.Input, Steps.Input>
}
