export class CommandFailure extends Error {
  /** `failed` at run time, `refused` because of the arguments, or `interrupted` by Ctrl+C. */
  readonly ending: 'failed' | 'refused' | 'interrupted';
  /** The code of the gateway's refusal, if it has one. */
  readonly code: string | undefined;

  constructor(ending: CommandFailure['ending'], message: string, code?: string) {
    super(message);
    this.code = code;
    this.name = 'CommandFailure';
    this.ending = ending;
  }
}

export interface Outage {
  /** A noun phrase, such as `the gateway at http://127.0.0.1:8090/mcp`. */
  readonly subject: string;
  readonly reason: string;
}

/** A failure at run time that a later attempt may not have. */
export class TemporaryFailure extends CommandFailure {
  readonly outage: Outage;

  constructor(message: string, outage: Outage) {
    super('failed', message);
    this.name = 'TemporaryFailure';
    this.outage = outage;
  }
}

/** Returns the first code of an error and of its causes that has a form, such as `ECONNREFUSED`. */
export const findErrorCode = (error: unknown, form: RegExp): string | undefined => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string' && form.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
};

/** Returns the failure of a file of the program that an interrupted installation or a full disk left empty, cut or without another. */
export const createDamagedFileFailure = (file: string, error: unknown): CommandFailure => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  const message = `${file} is damaged (${reason}): install or build the program again`;
  return new CommandFailure('failed', message);
};
