/** A tool whose `readOnlyHint` changed from false or unset to true. */
export interface HintWidened {
  readonly server: string;
  readonly tool: string;
  /** The new hint waits to be accepted. */
  readonly held: boolean;
}
