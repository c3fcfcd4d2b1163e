import { refuseWithoutEvents } from '../wire/content-negotiation.ts';
import { parseEventId, type EventPlace } from './event-id.ts';
import { EventStream } from '../wire/event-stream.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Relays } from '../peers/relays.ts';
import type { SessionChannels } from './session-channels.ts';
import type { Session, SessionStore } from './session-store.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import type { StreamLimits } from './stream-limits.ts';

/** The dependencies of {@link StreamRequests}. */
export interface StreamRequestsDependencies {
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
    dependencies.relays.on('resume', ({ session: id, stream, event }, sink) => {
      const session = dependencies.sessions.use(String(id));
      const found = session?.resumable?.find(String(stream));
      if (found === undefined || typeof event !== 'number') return false;
      sink.onDisconnect(() => found.lose(sink));
      sink.announce();
      found.resume(sink, event);
      return true;
    });
  }

  /** Opens a stream of a session. */
  open(http: HttpExchange, session: Session): void {
    const refusal = refuseWithoutEvents(http.accepted) ?? this.#dependencies.streams.admit(http);
    if (refusal !== undefined) {
      http.refuse(refusal);
      return;
    }
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
    if (channels.resume(http, session, place)) return;
    if (bus.hasPeers && place.owner !== bus.self) this.#relay(http, session, place);
    else this.#startOver(http, session, place);
  }

  /**
   * Answers for a stream whose owner is unknown: a stream of the session continues without the missed events, the stream of a
   * call is refused.
   */
  #startOver(http: HttpExchange, session: Session, { stream }: EventPlace): void {
    if (stream.startsWith('get')) this.#dependencies.channels.open(http, session);
    else http.refuse(NOTHING_TO_RESUME);
  }

  #relay(http: HttpExchange, session: Session, place: EventPlace): void {
    const { relays } = this.#dependencies;
    const { response } = http;
    const { owner, stream, event } = place;
    let reader: EventStream | undefined;
    const body = { session: session.id, stream, event, canStream: true };
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
