import { EventStream } from '../wire/event-stream.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import { notificationMessage } from '../protocol/json-rpc.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { LIST_CHANGED, type ListKind, type ListWatch } from '../changes/list-watch.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import type { ResumableStream } from './resumable-stream.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import type { StreamStart } from './session-streams.ts';
import type { SessionStore } from './session-store.ts';
import type { Session, SessionChannel, StreamReader } from './session.ts';

/** The dependencies of {@link SessionChannels}. */
export interface SessionChannelsDependencies {
  readonly sessions: SessionStore;
  readonly bus: PeerBus;
  readonly watch: ListWatch;
  /** Returns the lists whose changes are announced now. */
  readonly kinds: () => readonly ListKind[];
  readonly limits: McpHttpLimits;
  readonly unread: UnreadAnswers;
  readonly startResumable: (
    session: Session,
    header: HeaderReader,
    start: StreamStart,
  ) => ResumableStream | undefined;
  /** Called with a session that has a new stream; `hasMissed` says that its client may have missed events of an earlier one. */
  readonly onOpened: (session: Session, hasMissed: boolean) => void;
}

/** A stream, and the last event of it that its client has received. */
interface Resumed {
  readonly stream: ResumableStream;
  readonly event: number;
}

/** Messages of one session that may wait until its stream is located. */
const MAX_WAITING = 256;

/** The streams that clients open by `GET`, and the messages of sessions on them: each message goes to one stream. */
export class SessionChannels {
  readonly #dependencies: SessionChannelsDependencies;
  /** Messages, in order, of sessions whose stream is being located in other processes. */
  readonly #waiting = new Map<string, string[]>();
  /** The request that reads a stream now. */
  readonly #readers = new WeakMap<ResumableStream, { reader: StreamReader }>();

  constructor(dependencies: SessionChannelsDependencies) {
    this.#dependencies = dependencies;
    const { bus, sessions } = dependencies;
    bus.on('stream-wanted', (body, from) => {
      const session = sessions.peek(String(body['session']));
      if (session !== undefined && newestOf(session) !== undefined) bus.reply(body, from);
    });
    bus.on('stream-message', ({ session: id, message }) => {
      const session = sessions.peek(String(id));
      if (session !== undefined) newestOf(session)?.notify(String(message));
    });
  }

  /**
   * Opens a stream of a session; the oldest is closed when there are too many. A client that may have missed events of an earlier stream is
   * notified of every list.
   */
  open({ response, principal, header }: HttpExchange, session: Session, hasMissed = false): void {
    const { limits, sessions, startResumable } = this.#dependencies;
    const channels = (session.channels ??= new Set());
    const [oldest] = channels;
    if (oldest !== undefined && channels.size >= limits.maxStreamsPerSession) oldest.close();
    const stream = this.#reader(response, session);
    const resumable = startResumable(session, header, { onAbandoned: () => channel.close() });
    const current = { reader: { principal, header } };
    if (resumable !== undefined) this.#readers.set(resumable, current);
    const unwatch = this.#watchLists(session, current, () => channel);
    const channel: SessionChannel = {
      get reader() {
        return current.reader;
      },
      notify: (message) => (resumable ?? stream).notify(message),
      close: () => {
        if (!channels.delete(channel)) return;
        unwatch();
        if (resumable === undefined) stream.end();
        else resumable.close();
      },
    };
    channels.add(channel);
    resumable?.open(stream);
    if (hasMissed) this.#announceLists(channel);
    this.#dependencies.onOpened(session, hasMissed);
    response.once('close', () => {
      if (sessions.peek(session.id) === session) sessions.use(session.id);
      if (resumable === undefined) channel.close();
      else resumable.lose(stream);
    });
  }

  /** Lets a stream that another transport has opened carry the messages of a session, until it closes. */
  attach(
    { response, principal, header }: HttpExchange,
    session: Session,
    stream: EventStream,
  ): void {
    const channels = (session.channels ??= new Set());
    const reader = { principal, header };
    const unwatch = this.#watchLists(session, { reader }, () => channel);
    const channel: SessionChannel = {
      reader,
      notify: (message) => stream.notify(message),
      close: () => {
        if (!channels.delete(channel)) return;
        unwatch();
        stream.end();
      },
    };
    channels.add(channel);
    const streams = (session.streams ??= new Set());
    streams.add(stream);
    response.once('close', () => {
      streams.delete(stream);
      channel.close();
    });
  }

  #announceLists(channel: SessionChannel): void {
    for (const kind of this.#dependencies.kinds()) {
      channel.notify(notificationMessage(LIST_CHANGED[kind], {}));
    }
  }

  /** Resumes a stream of a session that its client has lost, after one event. */
  resume(http: HttpExchange, session: Session, { stream, event }: Resumed): void {
    const { response } = http;
    const reader = this.#reader(response, session);
    response.once('close', () => stream.lose(reader));
    this.follow(stream, http);
    stream.resume(reader, event);
  }

  /** From now on announces the lists that another request of the principal shows, on a stream of the session. */
  follow(stream: ResumableStream, { principal, header }: StreamReader): void {
    const current = this.#readers.get(stream);
    if (current !== undefined) current.reader = { principal, header };
  }

  /** Sends a message to a session on one of its streams, in any process; drops it when there is none. */
  send(session: Session, message: string): void {
    const channel = newestOf(session);
    if (channel !== undefined) {
      channel.notify(message);
      return;
    }
    if (!this.#dependencies.bus.hasPeers) return;
    const waiting = this.#waiting.get(session.id);
    if (waiting === undefined) void this.#sendElsewhere(session.id, [message]);
    else if (waiting.length < MAX_WAITING) waiting.push(message);
  }

  /** Resolves with whether a session has a stream, in this process or in one that answers in time. */
  async hasStream(session: Session, timeoutMs: number): Promise<boolean> {
    if (newestOf(session) !== undefined) return true;
    return (await this.#streamElsewhere(session.id, timeoutMs)) !== undefined;
  }

  async #sendElsewhere(session: string, messages: string[]): Promise<void> {
    this.#waiting.set(session, messages);
    const { bus, limits } = this.#dependencies;
    const peer = await this.#streamElsewhere(session, limits.peerTimeoutMs);
    this.#waiting.delete(session);
    if (peer === undefined) return;
    for (const message of messages) bus.send('stream-message', { session, message }, peer);
  }

  #streamElsewhere(session: string, timeoutMs: number): Promise<string | undefined> {
    return this.#dependencies.bus.ask({ kind: 'stream-wanted', body: { session }, timeoutMs });
  }

  #reader(response: HttpExchange['response'], session: Session): EventStream {
    const reader = new EventStream(response, this.#dependencies);
    const streams = (session.streams ??= new Set());
    streams.add(reader);
    response.once('close', () => streams.delete(reader));
    return reader;
  }

  #watchLists(
    session: Session,
    current: { readonly reader: StreamReader },
    self: () => SessionChannel,
  ): () => void {
    const { watch, kinds } = this.#dependencies;
    return watch.add({
      context: {
        get principal() {
          return current.reader.principal;
        },
        sessionId: session.id,
        header: (name) => current.reader.header(name),
      },
      kinds: kinds(),
      onChanged: (kind) => {
        const channel = self();
        if (newestOf(session) !== channel) return;
        channel.notify(notificationMessage(LIST_CHANGED[kind], {}));
      },
    });
  }
}

/** Returns the newest stream of a session in this process. */
export const newestOf = ({ channels }: Session): SessionChannel | undefined =>
  channels === undefined ? undefined : [...channels].at(-1);
