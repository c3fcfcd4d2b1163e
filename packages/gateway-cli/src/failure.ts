/** A failure of a command, with the text for the user. */
export class CommandFailure extends Error {
  /** `failed` at run time, or `refused` because of the arguments. */
  readonly ending: 'failed' | 'refused';
  /** The code of the gateway's refusal, if it has one. */
  readonly code: string | undefined;

  constructor(ending: 'failed' | 'refused', message: string, code?: string) {
    super(message);
    this.code = code;
    this.name = 'CommandFailure';
    this.ending = ending;
  }
}
