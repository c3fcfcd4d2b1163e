import { parseCallParams } from '../protocol/call-params.ts';
import type { CallMethod, McpService, RequestContext } from '../protocol/mcp-service.ts';
import { scopeHeaderReader, scopeHeadersOf } from '../protocol/scope-headers.ts';
import { isCallMethod } from '../protocol/service-methods.ts';
import type { ResumableStream } from './resumable-stream.ts';
import { refuseWithoutEvents } from '../wire/content-negotiation.ts';
import { endWithCredentials } from '../wire/expiry.ts';
import { isPrincipal } from '../peers/relays.ts';
import { parseEventId, type EventPlace } from './event-id.ts';
import { EventStream } from '../wire/event-stream.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Relays } from '../peers/relays.ts';
import type { SessionChannels } from './session-channels.ts';
import type { SessionStore } from './session-store.ts';
import type { Session } from './session.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import type { StreamLimits } from './stream-limits.ts';

/** The dependencies of {@link StreamRequests}. */
export interface StreamRequestsDependencies {
  readonly service: McpService;
  readonly sessions: SessionStore;
  readonly channels: SessionChannels;
  readonly relays: Relays;
  readonly bus: PeerBus;
  readonly limits: McpHttpLimits;
  readonly streams: StreamLimits;
  readonly unread: UnreadAnswers;
}

const NOTHING_TO_RESUME: Refusal = { code: 'event-not-found' };

/** Serves `GET`: a stream of the session, or the rest of a stream that the client has lost, whichever process owns it. */
export class StreamRequests {
  readonly #dependencies: StreamRequestsDependencies;

  constructor(dependencies: StreamRequestsDependencies) {
    this.#dependencies = dependencies;
    dependencies.relays.on('resume', ({ session: id, stream, event, scope, principal }, sink) => {
      const header = scopeHeaderReader(scope);
      if (header === undefined || typeof event !== 'number' || !isPrincipal(principal))
        return false;
      const session = dependencies.sessions.useFor(principal, String(id));
      const found = session?.resumable?.find(String(stream));
      if (found === undefined) return false;
      if (!this.#isAdmitted(found, { principal, sessionId: session?.id, header })) return false;
      sink.onDisconnect(() => found.lose(sink));
      sink.announce();
      dependencies.channels.follow(found, { principal, header });
      found.resume(sink, event);
      return true;
    });
  }

  /** Opens a stream of a session. */
  open(http: HttpExchange, session: Session): void {
    const refusal =
      refuseWithoutEvents(http.accepted) ??
      this.#refuseHeaders(http, session) ??
      this.#dependencies.streams.admit(http);
    if (refusal !== undefined) {
      http.refuse(refusal);
      return;
    }
    endWithCredentials(http);
    const lines = http.header('last-event-id');
    if (lines === undefined) {
      this.#dependencies.channels.open(http, session);
      return;
    }
    const place = lines.length === 1 ? parseEventId(lines[0] ?? '') : undefined;
    if (place === undefined) http.refuse(NOTHING_TO_RESUME);
    else this.#resume(http, session, place);
  }

  #resume(http: HttpExchange, session: Session, place: EventPlace): void {
    const { channels, bus } = this.#dependencies;
    // Each process numbers the streams of a session by itself.
    const isHere = place.owner === bus.self;
    const stream = isHere ? session.resumable?.find(place.stream) : undefined;
    if (stream === undefined) {
      if (bus.hasPeers && !isHere) this.#relay(http, session, place);
      else this.#startOver(http, session, place);
    } else if (this.#isAdmitted(stream, contextOf(http, session)))
      channels.resume(http, session, { stream, event: place.event });
    else http.refuse(NOTHING_TO_RESUME);
  }

  #refuseHeaders(http: HttpExchange, session: Session): Refusal | undefined {
    const error = this.#dependencies.service.refuseHeaders?.(contextOf(http, session));
    return error && { code: 'protocol-error', status: 400, error };
  }

  /** Returns whether the headers of a request that resumes a stream admit the call that the stream answers. */
  #isAdmitted({ request }: ResumableStream, context: RequestContext): boolean {
    const { service } = this.#dependencies;
    if (service.refuseHeaders?.(context) !== undefined) return false;
    if (request === undefined || !isCallMethod(request.method)) return true;
    const method = request.method as CallMethod;
    const parsed = parseCallParams(method, request.params);
    return (
      !parsed.ok ||
      service.refuseCall?.({ method, params: parsed.call.params }, context) === undefined
    );
  }

  /**
   * Answers for a stream whose owner is unknown: a stream of the session continues without the missed events and announces every list, the
   * stream of a call is refused.
   */
  #startOver(http: HttpExchange, session: Session, { stream }: EventPlace): void {
    if (stream.startsWith('get')) this.#dependencies.channels.open(http, session, true);
    else http.refuse(NOTHING_TO_RESUME);
  }

  #relay(http: HttpExchange, session: Session, place: EventPlace): void {
    const { relays } = this.#dependencies;
    const { response } = http;
    const { owner, stream, event } = place;
    let reader: EventStream | undefined;
    const scope = scopeHeadersOf(this.#dependencies.service, http.header);
    const { principal } = http;
    const body = { session: session.id, stream, event, scope, principal, canStream: true };
    const cut = relays.open(owner, 'resume', body, {
      onTaken: () => {
        reader = new EventStream(response, this.#dependencies);
      },
      onEvent: ({ message, id, mayDrop }) => {
        if (typeof message !== 'string' || (mayDrop === true && reader?.isBehind === true)) return;
        reader?.write(message, typeof id === 'string' ? id : undefined);
      },
      onEnd: () => reader?.end(),
      onLost: () => {
        if (reader !== undefined) reader.cut();
        else if (!response.destroyed) this.#startOver(http, session, place);
      },
    });
    response.once('close', cut);
  }
}

const contextOf = ({ principal, header }: HttpExchange, { id }: Session): RequestContext => ({
  ...{ principal, header },
  sessionId: id,
});
