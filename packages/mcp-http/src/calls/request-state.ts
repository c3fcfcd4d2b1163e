import { createHmac, randomBytes } from 'node:crypto';

/** A call that waits for its caller, as a `requestState` names it. */
export interface NamedCall {
  /** The process that keeps the call. */
  readonly owner: string;
  readonly secret: string;
}

const STATE = /^([\w-]{1,64})\.([\w-]{22})$/;

/**
 * Writes and reads the `requestState` of calls that the face itself suspends. A state begins with a mark of the key, so that a
 * state that was changed on its way is told from one that a service has given out.
 */
export class RequestStates {
  readonly #prefix: string;

  /** @param key secret that the processes of one endpoint share */
  constructor(key: Uint8Array) {
    const mark = createHmac('sha256', key).update('request state\0').digest('base64url');
    this.#prefix = `suspended.${mark.slice(0, 12)}.`;
  }

  /** Names a call anew; nobody can guess the name. */
  issue(owner: string): NamedCall & { readonly state: string } {
    const secret = randomBytes(16).toString('base64url');
    return { owner, secret, state: `${this.#prefix}${owner}.${secret}` };
  }

  /** Whether a state was given out under this key, or pretends to. */
  isOwn(state: string): boolean {
    return state.startsWith(this.#prefix);
  }

  /** Reads an own state; `undefined` for one that was changed on its way. */
  read(state: string): NamedCall | undefined {
    const [, owner, secret] = STATE.exec(state.slice(this.#prefix.length)) ?? [];
    return owner === undefined || secret === undefined ? undefined : { owner, secret };
  }
}
