import { setTimeout as delay } from 'node:timers/promises';
import { openStream, postMessage, rpcOf, toolCallOf, type SessionHeaders } from './mcp-posts.ts';

/** The failures and the number of requests of a load. */
export interface LoadResult {
  readonly requests: number;
  readonly failures: readonly string[];
  /** Streams that were opened, the first one of each session included. */
  readonly streams: number;
}

/** A load that runs until it is stopped. */
export interface RunningLoad {
  readonly stop: () => Promise<LoadResult>;
}

/** How much is sent, and where. */
export interface LoadOptions {
  readonly url: URL;
  readonly sessions: readonly SessionHeaders[];
  readonly perSecond: number;
  /** A call that takes a second, sent twice a second. */
  readonly slowCall: { readonly name: string; readonly arguments: object };
}

const TICK_MS = 20;
const SLOW_EVERY_MS = 500;

/** Requests that run at once at most: a machine that cannot keep the rate is sent less. */
const MAX_RUNNING = 150;

class Load implements RunningLoad {
  readonly #options: LoadOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #failures: string[] = [];
  #requests = 0;
  #streams = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#track(this.#sendRegularly());
    this.#track(this.#sendSlow());
    for (const session of options.sessions) this.#track(this.#follow(session));
  }

  async stop(): Promise<LoadResult> {
    this.#stopping.abort();
    while (this.#running.size > 0) await Promise.all(this.#running);
    return { requests: this.#requests, failures: this.#failures, streams: this.#streams };
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async #sendRegularly(): Promise<void> {
    const { perSecond } = this.#options;
    const startedAt = performance.now();
    for (let sent = 0; !this.#isStopped; await delay(TICK_MS)) {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      for (; sent < due; sent += 1) {
        if (this.#running.size < MAX_RUNNING)
          this.#track(this.#send(rpcOf('tools/list'), '"tools"'));
      }
    }
  }

  async #sendSlow(): Promise<void> {
    const { name, arguments: args } = this.#options.slowCall;
    for (; !this.#isStopped; await delay(SLOW_EVERY_MS))
      this.#track(this.#send(toolCallOf(name, args), '"result"'));
  }

  async #send(message: object, expected: string): Promise<void> {
    const { url, sessions } = this.#options;
    const headers = sessions[this.#requests % sessions.length];
    this.#requests += 1;
    const sentAt = new Date().toISOString();
    try {
      const { status, text } = await postMessage(url, message, { ...(headers && { headers }) });
      if (status === 200 && text.includes(expected) && !text.includes('"isError":true')) return;
      this.#failures.push(`${sentAt} ${String(status)} ${text.slice(0, 300)}`);
    } catch (error) {
      this.#failures.push(`${sentAt} ${String(error)} ${String((error as Error).cause)}`);
    }
  }

  /** Reads the stream of a session, and opens it again when it ends, after the time that it states. */
  async #follow(headers: SessionHeaders): Promise<void> {
    let next: SessionHeaders | undefined = headers;
    while (next !== undefined && !this.#isStopped) next = await this.#readStream(headers, next);
  }

  /** Reads a stream to its end. Resolves with the headers of the next one. */
  async #readStream(
    headers: SessionHeaders,
    resumed: SessionHeaders,
  ): Promise<SessionHeaders | undefined> {
    const stream = await openStream(this.#options.url, resumed).catch(String);
    if (typeof stream === 'string' || stream.status !== 200) {
      this.#failures.push(`stream: ${typeof stream === 'string' ? stream : String(stream.status)}`);
      return undefined;
    }
    this.#streams += 1;
    this.#stopping.signal.addEventListener('abort', stream.cut);
    // The load may have been stopped while the stream was opened.
    if (this.#isStopped) stream.cut();
    await stream.ended;
    const text = stream.text();
    const lastId = [...text.matchAll(/^id: (.+)$/gmu)].at(-1)?.[1];
    const [, retryMs = '1000'] = /retry: (\d+)\n\n$/u.exec(text) ?? [];
    await delay(Number(retryMs), undefined, { signal: this.#stopping.signal }).catch(
      () => undefined,
    );
    return lastId === undefined ? resumed : { ...headers, 'last-event-id': lastId };
  }
}

/** Starts a load. */
export const startLoad = (options: LoadOptions): RunningLoad => new Load(options);
