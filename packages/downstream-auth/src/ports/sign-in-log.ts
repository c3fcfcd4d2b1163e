/** The part of a structured logger that sign-in writes to. Facts and texts contain no secrets. */
export interface SignInLog {
  readonly info: (facts: object, text: string) => void;
  readonly warn: (facts: object, text: string) => void;
}
