import { LAST_EVENT_HEADER, type CallMethod, CALL_METHODS } from '@gateway/mcp-wire';
import type { ServiceProtocol } from '../calls/service-protocol.ts';
import { parseCallParams } from '../protocol/client-message.ts';
import type { RequestContext } from '../protocol/mcp-service.ts';
import type { EndpointRefusal } from '../protocol/refusal.ts';
import { parseScopeHeaders, readScopeHeaders } from '../protocol/client-message.ts';
import type { Session } from '../sessions/session-store.ts';
import {
  type EventPlace,
  parseEventId,
  type ResumableStream,
} from '../sessions/session-streams.ts';
import {
  EventStream,
  type StreamLimits,
  endExpiredStream,
  refuseWithoutEvents,
} from '../wire/event-stream.ts';
import type { IncomingExchange } from '../wire/incoming-exchange.ts';
import { isPrincipal } from '../wire/peers.ts';

const NOTHING_TO_RESUME: EndpointRefusal = { code: 'event-not-found' };

/** Serves `GET`: a stream of the session, or the rest of a stream that the client has lost, whichever process owns it. */
export class StreamRequests {
  readonly #protocol: ServiceProtocol;
  readonly #streams: StreamLimits;

  constructor(protocol: ServiceProtocol, streams: StreamLimits) {
    this.#protocol = protocol;
    this.#streams = streams;
    const { parts, channels, relays } = protocol;
    relays.on('resume', ({ session: id, stream, event, scope, principal }, sink) => {
      const header = parseScopeHeaders(scope);
      if (header === undefined || typeof event !== 'number' || !isPrincipal(principal))
        return false;
      const session = parts.sessions.useFor(principal, String(id));
      const found = session?.resumable?.find(String(stream));
      if (found === undefined) return false;
      if (!this.#isAdmitted(found, { principal, sessionId: session?.id, header })) return false;
      sink.onDisconnect(() => found.lose(sink));
      sink.announce();
      channels.follow(found, { principal, header });
      found.resume(sink, event);
      return true;
    });
  }

  /** Opens a stream of a session. */
  open(exchange: IncomingExchange, session: Session): void {
    const refusal =
      refuseWithoutEvents(exchange.accepted) ??
      this.#protocol.refuseHeaders(toContext(exchange, session)) ??
      this.#streams.admit(exchange);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    endExpiredStream(exchange);
    const lines = exchange.header(LAST_EVENT_HEADER);
    if (lines === undefined) {
      this.#protocol.channels.open(exchange, session);
      return;
    }
    const place = lines.length === 1 ? parseEventId(lines[0] ?? '') : undefined;
    if (place === undefined) exchange.refuse(NOTHING_TO_RESUME);
    else this.#resume(exchange, session, place);
  }

  #resume(exchange: IncomingExchange, session: Session, place: EventPlace): void {
    const { channels, parts } = this.#protocol;
    const { bus } = parts;
    // Each process numbers the streams of a session by itself.
    const isHere = place.owner === bus.self;
    const stream = isHere ? session.resumable?.find(place.stream) : undefined;
    if (stream === undefined) {
      if (bus.hasPeers && !isHere) this.#relay(exchange, session, place);
      else this.#startOver(exchange, session, place);
    } else if (this.#isAdmitted(stream, toContext(exchange, session)))
      channels.resume(exchange, session, { stream, event: place.event });
    else exchange.refuse(NOTHING_TO_RESUME);
  }

  /** Returns whether the headers of a request that resumes a stream admit the call that the stream answers. */
  #isAdmitted({ request }: ResumableStream, context: RequestContext): boolean {
    const { service } = this.#protocol.parts;
    if (service.refuseHeaders?.(context) !== undefined) return false;
    if (request === undefined || !CALL_METHODS.has(request.method)) return true;
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
  #startOver(exchange: IncomingExchange, session: Session, { stream }: EventPlace): void {
    if (stream.startsWith('get')) this.#protocol.channels.open(exchange, session, true);
    else exchange.refuse(NOTHING_TO_RESUME);
  }

  #relay(exchange: IncomingExchange, session: Session, place: EventPlace): void {
    const { parts, relays } = this.#protocol;
    const { response } = exchange;
    const { owner, stream, event } = place;
    let reader: EventStream | undefined;
    const scope = readScopeHeaders(parts.service, exchange.header);
    const { principal } = exchange;
    const body = { session: session.id, stream, event, scope, principal, canStream: true };
    const cut = relays.open(owner, 'resume', body, {
      onTaken: () => {
        reader = new EventStream(response, parts);
      },
      onEvent: ({ message, id, mayDrop }) => {
        if (typeof message !== 'string' || (mayDrop === true && reader?.isBehind === true)) return;
        reader?.write(message, typeof id === 'string' ? id : undefined);
      },
      onEnd: () => reader?.end(),
      onLost: () => {
        if (reader !== undefined) reader.cut();
        else if (!response.destroyed) this.#startOver(exchange, session, place);
      },
    });
    response.once('close', cut);
  }
}

const toContext = ({ principal, header }: IncomingExchange, { id }: Session): RequestContext => ({
  principal,
  header,
  sessionId: id,
});
