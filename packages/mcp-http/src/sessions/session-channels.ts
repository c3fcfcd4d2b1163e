import {
  type JsonObject,
  NO_SESSION,
  type OpenedChannel,
  type RpcError,
} from '@gateway/call-contract';
import {
  formatNotification,
  REVISION_HEADER,
  tryFormatNotification,
  LIST_CHANGED,
} from '@gateway/mcp-wire';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type HeaderReader,
  parseScopeHeaders,
  readScopeHeaders,
} from '../protocol/client-message.ts';
import { EventStream } from '../wire/event-stream.ts';
import type { IncomingExchange } from '../wire/incoming-exchange.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import type { ResourceSubscription } from './shared-sessions.ts';
import { type ListChangeNotifier } from './list-changes.ts';
import type { Session, SessionChannel, StreamReader } from './session-store.ts';
import {
  NotificationChannels,
  type ResumableStream,
  SessionStreams,
  type StreamStart,
} from './session-streams.ts';
import { ClientSubscriptions } from './subscriptions.ts';

/** A stream, and the last event of it that its client has received. */
interface Resumed {
  readonly stream: ResumableStream;
  readonly event: number;
}

type OpenedListener = (session: Session, hasMissed: boolean) => void;

/** First revision whose clients resume a stream that they have lost. */
const FIRST_RESUMING_REVISION = '2025-11-25';

/** Messages of one session that may wait until its stream is located. */
const MAX_WAITING = 256;

/** How long a client that opens its stream at this moment is waited for, and how often it is looked for. */
const STREAM_WAIT_MS = 1_000;
const LOOK_EVERY_MS = 50;

/** The streams that clients open by `GET`, and the messages of sessions on them: each message goes to one stream. */
export class SessionChannels {
  readonly #parts: EndpointParts;
  readonly #watch: ListChangeNotifier;
  readonly #logBudget = { bytes: 0 };
  /** Messages, in order, of sessions whose stream is being located in other processes. */
  readonly #waiting = new Map<string, string[]>();
  /** The request that reads a stream now. */
  readonly #readers = new WeakMap<ResumableStream, { reader: StreamReader }>();
  #onOpened: OpenedListener = () => undefined;

  constructor(parts: EndpointParts, watch: ListChangeNotifier) {
    this.#parts = parts;
    this.#watch = watch;
    const { bus, sessions } = parts;
    bus.on('stream-wanted', (body, from) => {
      const session = sessions.peek(String(body['session']));
      if (session !== undefined && findNewestChannel(session) !== undefined) bus.reply(body, from);
    });
    bus.on('stream-message', ({ session: id, message }) => {
      const session = sessions.peek(String(id));
      if (session !== undefined) findNewestChannel(session)?.notify(String(message));
    });
    bus.on('channel-opened', ({ session, name }) => {
      sessions.peek(String(session))?.notificationChannels?.end(String(name));
    });
  }

  /** Calls a listener with each session that has a new stream, and whether its client may have missed events of an earlier one. */
  onOpened(listener: OpenedListener): void {
    this.#onOpened = listener;
  }

  /**
   * Opens a stream of a session; the oldest is closed when there are too many. A client that may have missed events of an earlier stream is
   * notified of every list.
   */
  open(
    { response, principal, header }: IncomingExchange,
    session: Session,
    hasMissed = false,
  ): void {
    const { limits, sessions } = this.#parts;
    const [oldest] = (session.channels ??= new Set());
    if (oldest !== undefined && session.channels.size >= limits.maxStreamsPerSession)
      oldest.close();
    const stream = this.#createReader(response, session);
    const current = { reader: { principal, header } };
    const resumable = this.startResumable(session, header, {
      onAbandoned: () => channel.close(),
    });
    if (resumable !== undefined) this.#readers.set(resumable, current);
    const channel = this.#add(session, current, {
      notify: (message) => (resumable ?? stream).notify(message),
      end: () => (resumable === undefined ? stream.end() : resumable.close()),
    });
    resumable?.open(stream);
    if (hasMissed) {
      for (const kind of this.#watch.kinds)
        channel.notify(formatNotification(LIST_CHANGED[kind], {}));
    }
    this.#onOpened(session, hasMissed);
    response.once('close', () => {
      if (sessions.peek(session.id) === session) sessions.use(session.id);
      if (resumable === undefined) channel.close();
      else resumable.lose(stream);
    });
  }

  /** Lets a stream of another transport carry the messages of a session until the returned function is called. */
  attach(
    session: Session,
    { principal, header }: StreamReader,
    stream: Pick<EventStream, 'notify' | 'end' | 'announceStop'>,
  ): () => void {
    const streams = (session.streams ??= new Set());
    streams.add(stream);
    const channel = this.#add(session, { reader: { principal, header } }, stream);
    return () => {
      streams.delete(stream);
      channel.close();
    };
  }

  /** Resumes a stream of a session that its client has lost, after one event. */
  resume(exchange: IncomingExchange, session: Session, { stream, event }: Resumed): void {
    const { response } = exchange;
    const reader = this.#createReader(response, session);
    response.once('close', () => stream.lose(reader));
    this.follow(stream, exchange);
    stream.resume(reader, event);
  }

  /** From now on announces the lists that another request of the principal shows, on a stream of the session. */
  follow(stream: ResumableStream, { principal, header }: StreamReader): void {
    const current = this.#readers.get(stream);
    if (current !== undefined) current.reader = { principal, header };
  }

  /** Starts a stream that its client can resume. Returns `undefined` when the client does not announce that it resumes streams. */
  startResumable(
    session: Session,
    header: HeaderReader,
    start: StreamStart,
  ): ResumableStream | undefined {
    const lines = header(REVISION_HEADER);
    if (lines === undefined || (lines[0] ?? '') < FIRST_RESUMING_REVISION) return undefined;
    const { bus, limits } = this.#parts;
    session.resumable ??= new SessionStreams(bus.self, limits, this.#logBudget);
    return session.resumable.start(start);
  }

  /** Sends a message to a session on one of its streams, in any process; drops it when there is none. */
  send(session: Session, message: string): void {
    const channel = findNewestChannel(session);
    if (channel !== undefined) {
      channel.notify(message);
      return;
    }
    if (!this.#parts.bus.hasPeers) return;
    const waiting = this.#waiting.get(session.id);
    if (waiting === undefined) void this.#sendElsewhere(session.id, [message]);
    else if (waiting.length < MAX_WAITING) waiting.push(message);
  }

  /** Opens a notification channel, one per name over all processes, once the session has a stream that can carry notifications. */
  async openNamed(session: Session | undefined, name: string): Promise<OpenedChannel> {
    if (session === undefined) return NO_SESSION;
    const { sessions, bus } = this.#parts;
    const hasStream = await this.#findStream(session);
    // The session may have ended while its stream was looked for.
    if (sessions.peek(session.id) !== session) return NO_SESSION;
    if (!hasStream) return { ok: false, code: 'no-stream' };
    bus.send('channel-opened', { session: session.id, name });
    session.notificationChannels ??= new NotificationChannels();
    const channel = session.notificationChannels.open(name, ({ method, params }) => {
      const message = tryFormatNotification(method, params);
      if (message !== undefined) this.send(session, message);
    });
    return { ok: true, channel };
  }

  async #findStream(session: Session): Promise<boolean> {
    const deadline = performance.now() + STREAM_WAIT_MS;
    while (findNewestChannel(session) === undefined) {
      if ((await this.#findStreamElsewhere(session.id, LOOK_EVERY_MS)) !== undefined) return true;
      if (performance.now() >= deadline) return false;
      await delay(LOOK_EVERY_MS);
    }
    return true;
  }

  async #sendElsewhere(session: string, messages: string[]): Promise<void> {
    this.#waiting.set(session, messages);
    const { bus, limits } = this.#parts;
    const peer = await this.#findStreamElsewhere(session, limits.peerTimeoutMs);
    this.#waiting.delete(session);
    if (peer === undefined) return;
    for (const message of messages) bus.send('stream-message', { session, message }, peer);
  }

  #findStreamElsewhere(session: string, timeoutMs: number): Promise<string | undefined> {
    return this.#parts.bus.ask('stream-wanted', { session }, timeoutMs);
  }

  #createReader(response: IncomingExchange['response'], session: Session): EventStream {
    const reader = new EventStream(response, this.#parts);
    const streams = (session.streams ??= new Set());
    streams.add(reader);
    response.once('close', () => streams.delete(reader));
    return reader;
  }

  /** Adds a channel to a session, which announces changed lists as long as it is the newest one. */
  #add(
    session: Session,
    current: { readonly reader: StreamReader },
    stream: Pick<EventStream, 'notify' | 'end'>,
  ): SessionChannel {
    const channels = (session.channels ??= new Set());
    const unwatch = this.#watch.add({
      context: {
        get principal() {
          return current.reader.principal;
        },
        sessionId: session.id,
        header: (name) => current.reader.header(name),
      },
      kinds: this.#watch.kinds,
      onChanged: (kind) => {
        if (findNewestChannel(session) !== channel) return;
        channel.notify(formatNotification(LIST_CHANGED[kind], {}));
      },
    });
    const channel: SessionChannel = {
      get reader() {
        return current.reader;
      },
      notify: (message) => stream.notify(message),
      close: () => {
        if (!channels.delete(channel)) return;
        unwatch();
        stream.end();
      },
    };
    channels.add(channel);
    return channel;
  }
}

/** Returns the newest stream of a session in this process. */
const findNewestChannel = ({ channels }: Session): SessionChannel | undefined =>
  channels === undefined ? undefined : [...channels].at(-1);

/**
 * The resources that sessions follow. Where processes share sessions, the process with the newest stream of a session follows its resources,
 * so that they survive the end of the process that subscribed.
 */
export class SessionFollows {
  readonly #parts: EndpointParts;
  readonly #channels: SessionChannels;

  constructor(parts: EndpointParts, channels: SessionChannels) {
    this.#parts = parts;
    this.#channels = channels;
    const { bus, sessions } = parts;
    channels.onOpened((session, hasMissed) => void this.#restore(session, hasMissed));
    bus.on('unsubscribed', ({ session: id, uri }) => {
      sessions.peek(String(id))?.subscriptions?.remove(String(uri));
    });
    bus.on('follows-changed', ({ session: id }) => {
      const session = sessions.peek(String(id));
      if (session !== undefined) void this.#restore(session, false);
    });
    bus.on('follows-taken', ({ session: id, uris }) => {
      const followed = sessions.peek(String(id))?.subscriptions;
      if (followed === undefined || !Array.isArray(uris)) return;
      for (const uri of uris) followed.remove(String(uri));
    });
  }

  /** Follows a resource for a session; gives the error when it cannot be followed, rejects on a bug of the service. */
  async add(
    session: Session,
    uri: string,
    { principal, header }: StreamReader,
  ): Promise<RpcError | undefined> {
    const { shared, service, bus } = this.#parts;
    const error = await this.#follow(session, uri, { principal, header });
    if (error !== undefined || shared === undefined) return error;
    await shared.follow(session, { uri, scope: readScopeHeaders(service, header) });
    if (findNewestChannel(session) === undefined)
      bus.send('follows-changed', { session: session.id });
    return undefined;
  }

  /** Stops following a resource for a session, in all processes. */
  async remove(session: Session, uri: string): Promise<void> {
    const { shared, bus } = this.#parts;
    const isHere = session.subscriptions?.remove(uri) === true;
    await shared?.unfollow(session, uri);
    if (!isHere || shared !== undefined) bus.send('unsubscribed', { session: session.id, uri });
  }

  /**
   * Follows what the session follows by its record, when this process has a stream of it. @param hasMissed the client may have missed
   * updates: every resource is announced
   */
  async #restore(session: Session, hasMissed: boolean): Promise<void> {
    const { shared, bus, service } = this.#parts;
    const reader = findNewestChannel(session)?.reader;
    if (shared === undefined || reader === undefined || service.subscribe === undefined) return;
    const recorded = await shared.readSubscriptions(session);
    const followed = await Promise.all(
      recorded.map((resource) => this.#restoreOne(session, resource, reader)),
    );
    const uris = followed.flat();
    if (uris.length > 0) bus.send('follows-taken', { session: session.id, uris });
    if (hasMissed) for (const uri of uris) this.#announce(session, { uri });
  }

  async #restoreOne(
    session: Session,
    { uri, scope }: ResourceSubscription,
    { principal }: StreamReader,
  ): Promise<readonly string[]> {
    const header = parseScopeHeaders(scope);
    if (header === undefined) return [];
    // A bug of the service for one resource must not keep the others.
    const error = await this.#follow(session, uri, { principal, header }).catch(() => 'failed');
    return error === undefined ? [uri] : [];
  }

  async #follow(
    session: Session,
    uri: string,
    { principal, header }: StreamReader,
  ): Promise<RpcError | undefined> {
    const subscriptions = (session.subscriptions ??= this.#open(session));
    const context = { principal, sessionId: session.id, header };
    const error = await subscriptions.add(uri, context);
    // The session may have ended while the service was asked.
    if (this.#parts.sessions.peek(session.id) !== session) subscriptions.close();
    return error;
  }

  #open(session: Session): ClientSubscriptions {
    const { service, limits } = this.#parts;
    return new ClientSubscriptions(service, limits.maxSubscriptions, (params) =>
      this.#announce(session, params),
    );
  }

  #announce(session: Session, params: JsonObject): void {
    const message = formatNotification('notifications/resources/updated', params);
    this.#channels.send(session, message);
  }
}
