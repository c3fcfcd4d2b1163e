import type { RpcError } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { errorMessage } from '../protocol/json-rpc.ts';
import { isRequest } from '../protocol/legacy-message.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import { isPrincipal, type Relays } from '../peers/relays.ts';
import type { SessionRequest } from '../sessions/session-scope.ts';
import type { RequestStates } from './request-state.ts';
import { GONE, type SuspendedCalls } from './suspended-calls.ts';

/** The dependencies of {@link RetriedCalls}. */
export interface RetriedCallsDependencies {
  readonly bus: PeerBus;
  readonly relays: Relays;
  readonly states: RequestStates;
  readonly suspended: SuspendedCalls;
}

/** Routes the retry of a suspended call to the process that runs the call. */
export class RetriedCalls {
  readonly #dependencies: RetriedCallsDependencies;

  constructor(dependencies: RetriedCallsDependencies) {
    this.#dependencies = dependencies;
    dependencies.relays.on('retry', ({ secret, request, principal }, sink) => {
      if (typeof secret !== 'string' || !isRequest(request) || !isPrincipal(principal))
        return false;
      sink.announce();
      // The process that holds the connection has checked the headers.
      const header = (): undefined => undefined;
      this.#resumeHere(secret, {
        request,
        scope: { era: 'modern', principal, session: undefined, header, exchange: sink },
      });
      return true;
    });
  }

  /** Returns whether this endpoint issued a state. */
  isOwn(requestState: string): boolean {
    return this.#dependencies.states.isOwn(requestState);
  }

  /** Resumes the call that a state of this endpoint names. The caller has checked that the headers of the request admit it. */
  resume(scoped: SessionRequest, requestState: string): void {
    const { states, bus } = this.#dependencies;
    const named = states.read(requestState);
    if (named === undefined) refuse(scoped, GONE);
    else if (named.owner === bus.self) this.#resumeHere(named.secret, scoped);
    else this.#relay(named.owner, named.secret, scoped);
  }

  #resumeHere(secret: string, scoped: SessionRequest): void {
    const error = this.#dependencies.suspended.resume(secret, scoped);
    if (error !== undefined) refuse(scoped, error);
  }

  #relay(owner: string, secret: string, scoped: SessionRequest): void {
    const { request, scope } = scoped;
    const { exchange } = scope;
    const { principal } = scope;
    const body = { secret, request, principal, canStream: exchange.canStream };
    let cut = (): void => undefined;
    // Watched first: a relay that cannot be opened is over at once.
    const stopWatching = exchange.onDisconnect(() => cut());
    cut = this.#dependencies.relays.open(owner, 'retry', body, {
      onTaken: () => undefined,
      onEvent: ({ message, mayDrop }) => {
        if (typeof message !== 'string') exchange.keepAlive();
        else if (mayDrop === true) exchange.notify(message);
        else exchange.send(message);
      },
      onEnd: ({ message, status }) => {
        stopWatching();
        exchange.settle({
          message: typeof message === 'string' ? message : undefined,
          status: typeof status === 'number' ? status : 200,
        });
      },
      onLost: () => {
        stopWatching();
        refuse(scoped, GONE);
      },
    });
  }
}

const refuse = (
  { request, scope }: { readonly request: JSONRPCRequest; readonly scope: SessionRequest['scope'] },
  error: RpcError,
): void => {
  scope.exchange.settle({ message: errorMessage(request.id, error), status: 200 });
};
