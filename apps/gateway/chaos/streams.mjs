import { setTimeout as wait } from 'node:timers/promises';
import { TARGET_HEADER } from '../test/harness/balancer.ts';
import { openStream } from '../test/harness/mcp-posts.ts';

const REVISION = '2025-11-25';
const CHANGED = 'notifications/tools/list_changed';

const announcementsIn = (text) => text.split(CHANGED).length - 1;

/** The stream of a session, which is opened again whenever it ends, as clients do. */
export class FollowedStream {
  opened = 0;
  #earlier = 0;
  #text = () => '';
  #world;
  #headers;
  #stopping = new AbortController();
  #following;

  constructor(world, session) {
    this.#world = world;
    this.#headers = { 'mcp-session-id': session, 'mcp-protocol-version': REVISION };
    this.#following = this.#follow();
  }

  /** Announcements that the client has received. */
  get changes() {
    return this.#earlier + announcementsIn(this.#text());
  }

  async stop() {
    this.#stopping.abort();
    await this.#following;
  }

  async #follow() {
    let headers = this.#headers;
    while (!this.#stopping.signal.aborted) headers = await this.#read(headers);
  }

  /** Reads a stream to its end. Returns the headers of the next one. */
  async #read(headers) {
    const from = performance.now();
    const stream = await openStream(this.#world.balancer.url, headers).catch(String);
    if (stream.status !== 200) {
      const target = stream.headers?.get(TARGET_HEADER);
      const failure = { message: `stream: ${stream.status ?? stream}`, target };
      this.#world.failures.count({ kind: 'streams', from }, failure);
      await this.#rest(1_000);
      return headers;
    }
    this.opened += 1;
    this.#text = stream.text;
    const cut = () => stream.cut();
    this.#stopping.signal.addEventListener('abort', cut);
    if (this.#stopping.signal.aborted) cut();
    await stream.ended;
    this.#stopping.signal.removeEventListener('abort', cut);
    const text = stream.text();
    this.#earlier += announcementsIn(text);
    this.#text = () => '';
    const lastId = [...text.matchAll(/^id: (.+)$/gmu)].at(-1)?.[1];
    await this.#rest(Number(/retry: (\d+)\n\n$/u.exec(text)?.[1] ?? 500));
    return lastId === undefined ? headers : { ...this.#headers, 'last-event-id': lastId };
  }

  async #rest(ms) {
    await wait(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
