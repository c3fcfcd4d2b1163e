/** Why a command cannot go on, as the text that the person at the terminal reads. */
export class CommandFailure extends Error {
  /** `failed` at run time, or `refused` for what was asked. */
  readonly ending: 'failed' | 'refused';

  constructor(ending: 'failed' | 'refused', message: string) {
    super(message);
    this.name = 'CommandFailure';
    this.ending = ending;
  }
}
