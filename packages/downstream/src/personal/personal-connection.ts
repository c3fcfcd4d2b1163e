import type { Connection } from '../connection/connection.ts';
import type { OutgoingRequest, SessionAnswer } from '../requests/outgoing-requests.ts';
import type { RequestConnection } from '../requests/request-connection.ts';
import type { RelistSchedule } from '../lists/relist-schedule.ts';
import { sanitisedLine } from '../wire/reason.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';
import type { CredentialOutcome } from '../credentials/server-credentials.ts';
import type { CredentialProblem, PersonAuthority } from './person-authority.ts';

/** Reports of a connection of a person to its owner. */
export interface UseObserver {
  /** A request begins. */
  readonly onUse: () => void;
  /** A request was answered with the credential. */
  readonly onAuthorized: () => void;
  /** The credential cannot be used now. */
  readonly onProblem: (problem: CredentialProblem) => void;
}

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

const failed = (failure: RequestFailure): RequestOutcome => ({ ok: false, failure });

/** Returns the failure of a request that was not sent. */
const problemFailure = ({ code, reason }: CredentialProblem): RequestFailure =>
  code === 'unavailable' ? { kind: 'lost', reason } : { kind: 'unauthorized', reason };

/** The connection of one person to one server. Each request uses the person's present credential. */
export class PersonalConnection implements RequestConnection {
  readonly connection: Connection;
  readonly relists: RelistSchedule;
  readonly #authority: PersonAuthority;
  readonly #observer: UseObserver;
  #running = 0;
  #onUnused: (() => void) | undefined;
  /** Why the connection was closed. */
  #ended: CredentialProblem | undefined;

  constructor(
    opened: { readonly connection: Connection; readonly relists: RelistSchedule },
    authority: PersonAuthority,
    observer: UseObserver,
  ) {
    this.connection = opened.connection;
    this.relists = opened.relists;
    this.#authority = authority;
    this.#observer = observer;
  }

  get era(): RequestConnection['era'] {
    return this.connection.era;
  }

  get features(): RequestConnection['features'] {
    return this.connection.features;
  }

  get resources(): Connection['resources'] {
    return this.connection.resources;
  }

  /** Number of running calls and requests. */
  get running(): number {
    return this.#running;
  }

  enter(): void {
    this.#running += 1;
  }

  leave(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onUnused?.();
  }

  request(request: OutgoingRequest): Promise<RequestOutcome> {
    this.enter();
    this.#observer.onUse();
    const credential = this.#authority.acquire();
    const outcome =
      'then' in credential
        ? credential.then((settled) => this.#send(settled, request))
        : this.#send(credential, request);
    return outcome.finally(() => this.leave());
  }

  /**
   * Closes the connection.
   *
   * @param problem why the requests that run have no result; absent when the connection itself is the reason
   */
  async close(problem?: CredentialProblem): Promise<void> {
    this.#ended ??= problem;
    this.relists.stop();
    await this.connection.close();
  }

  /** Calls back when no request runs. */
  whenUnused(onUnused: () => void): void {
    this.#onUnused = onUnused;
    if (this.#running === 0) onUnused();
  }

  async #send(credential: CredentialOutcome, request: OutgoingRequest): Promise<RequestOutcome> {
    if (!credential.ok) {
      this.#observer.onProblem(credential);
      return failed(problemFailure(credential));
    }
    const outcome = await this.connection.request(request);
    if (!outcome.ok) return failed(this.#shown(outcome.failure));
    this.#observer.onAuthorized();
    return outcome;
  }

  /** Returns the failure without the credential. */
  #shown(failure: RequestFailure): RequestFailure {
    if (failure.kind === 'lost' && this.#ended !== undefined) return problemFailure(this.#ended);
    if (failure.kind === 'lost' && this.#isUnauthorized(failure.httpStatus)) {
      const { problem } = this.#authority;
      return problem === undefined ? failure : problemFailure(problem);
    }
    if (failure.kind === 'session-refused')
      return { ...failure, answer: this.#withoutSecrets(failure.answer) };
    if (failure.kind !== 'lost' && failure.kind !== 'invalid' && failure.kind !== 'not-given')
      return failure;
    return { ...failure, reason: sanitisedLine(failure.reason, this.#authority.secrets()) };
  }

  #withoutSecrets(answer: SessionAnswer): SessionAnswer {
    const clean = (text: string): string => sanitisedLine(text, this.#authority.secrets());
    if (answer.kind === 'refused') return { ...answer, message: clean(answer.message) };
    return { ...answer, reason: clean(answer.reason), text: clean(answer.text ?? '') };
  }

  #isUnauthorized(status: number | undefined): boolean {
    return (
      status === UNAUTHORIZED || (status === FORBIDDEN && this.#authority.problem !== undefined)
    );
  }
}
