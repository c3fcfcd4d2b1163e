import { setTimeout as wait } from 'node:timers/promises';
import { framed } from '../framings.mjs';
import { SocketClient } from '../socket-client.mjs';

const rank = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** One call after the other of each well-behaved server, each lane on a connection of its own, at a steady pace. */
export class SteadyLoad {
  #lanes;
  #seen = [];
  #failures = [];
  #isPaused = false;
  #isOver = false;

  constructor(url, tools, everyMs) {
    this.#lanes = tools.map((tool) => this.#lane(url, tool, everyMs));
  }

  /** Forgets what was seen so far. */
  begin() {
    this.#seen = [];
    this.#failures = [];
  }

  /** Resolves when a call was answered since `begin`; a loaded machine may need long. A call that is never answered ends the wait after a minute. */
  async answered() {
    const until = performance.now() + 60_000;
    while (this.#seen.length === 0 && performance.now() < until) await wait(20);
  }

  /** What the callers saw since `begin`, in milliseconds. */
  end() {
    const sorted = Float64Array.from(this.#seen).sort();
    const figures = { calls: sorted.length, failures: this.#failures.length };
    const [p50 = 0, p99 = 0, max = 0] = [0.5, 0.99, 1].map((share) => rank(sorted, share));
    return { ...figures, failure: this.#failures[0], p50, p99, max };
  }

  /** Resolves when no call is under way. */
  async pause() {
    this.#isPaused = true;
    await Promise.all(this.#lanes.map((lane) => lane.idle()));
  }

  resume() {
    this.#isPaused = false;
    for (const lane of this.#lanes) lane.send();
  }

  close() {
    this.#isOver = true;
    for (const lane of this.#lanes) lane.close();
  }

  #lane(url, name, everyMs) {
    const call = {
      method: 'tools/call',
      params: { name: 'call_tool', arguments: { name, arguments: { id: '1' } } },
    };
    const request = framed(url, call, { framing: 'sessionless' });
    let sentAt = 0;
    let isBusy = false;
    let timer;
    let whenIdle = () => undefined;
    const take = (status, _bytes, text) => {
      const tookMs = performance.now() - sentAt;
      this.#seen.push(tookMs);
      isBusy = false;
      whenIdle();
      if (status !== 200 || !text.includes('"text"') || text.includes('"isError":true'))
        this.#failures.push(`${name}: ${status} ${text.slice(-300)}`);
      if (!this.#isPaused) timer = setTimeout(send, Math.max(0, everyMs - tookMs));
    };
    const client = new SocketClient(new URL(url), take, (error) => {
      if (!this.#isOver) this.#failures.push(`${name}: ${error.message}`);
    });
    const send = () => {
      sentAt = performance.now();
      isBusy = true;
      client.send(request, true);
    };
    send();
    return {
      send,
      idle: () => {
        clearTimeout(timer);
        return isBusy ? new Promise((resolve) => (whenIdle = resolve)) : undefined;
      },
      close: () => {
        clearTimeout(timer);
        client.close();
      },
    };
  }
}
