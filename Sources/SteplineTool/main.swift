import SteplineCommand

await SteplineCommand.main()
