/** Why a command cannot go on, as the text that the person at the terminal reads. */
export class CommandFailure extends Error {
  /** `failed` at run time, or `refused` for what was asked. */
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
