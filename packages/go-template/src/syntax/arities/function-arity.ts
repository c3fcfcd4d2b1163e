/** The fewest and the most arguments that a function takes; no second number means any number. A piped value counts. */
export type FunctionArity = readonly [fewest: number, most: number | undefined];
