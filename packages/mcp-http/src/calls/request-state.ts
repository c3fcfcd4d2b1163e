import { createHmac, randomBytes } from 'node:crypto';

/** A call that waits for its caller, as a `requestState` names it. */
export interface NamedCall {
  /** The process that runs the call. */
  readonly owner: string;
  readonly secret: string;
}

const STATE = /^([\w-]{1,64})\.([\w-]{22})$/;

/**
 * Writes and reads the `requestState` of calls that the endpoint suspends. A state begins with a mark of the key, so that a
 * modified state is distinguished from a state that a service issued.
 */
export class RequestStates {
  readonly #prefix: string;

  /** @param key secret that the processes of one endpoint share */
  constructor(key: Uint8Array) {
    const mark = createHmac('sha256', key).update('request state\0').digest('base64url');
    this.#prefix = `suspended.${mark.slice(0, 12)}.`;
  }

  /** Creates an unguessable name for a call. */
  issue(owner: string): NamedCall & { readonly state: string } {
    const secret = randomBytes(16).toString('base64url');
    return { owner, secret, state: `${this.#prefix}${owner}.${secret}` };
  }

  /** Returns whether a state was issued under this key, or claims to be. */
  isOwn(state: string): boolean {
    return state.startsWith(this.#prefix);
  }

  /** Parses a state that this endpoint issued; returns `undefined` for a modified one. */
  read(state: string): NamedCall | undefined {
    const [, owner, secret] = STATE.exec(state.slice(this.#prefix.length)) ?? [];
    return owner === undefined || secret === undefined ? undefined : { owner, secret };
  }
}
