/** The minimum and maximum number of arguments; no maximum when it is undefined. A piped value counts. */
export type FunctionArity = readonly [fewest: number, most: number | undefined];
