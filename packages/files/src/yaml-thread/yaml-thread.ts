import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { YAML_THREAD_IDLE_MS, YAML_THREAD_MS } from '../limits.ts';
import { refuseYaml } from '../yaml/compose-yaml.ts';
import type { DocumentPath } from '../yaml/yaml-position.ts';
import type { YamlAnswer } from './yaml-messages.ts';

const TOO_LONG = `takes longer than ${String(YAML_THREAD_MS / 1_000)} seconds to parse`;
const FAILED = 'cannot be parsed: the parser ran out of memory or could not start';

/**
 * Parses YAML in a thread, so that a large text does not block the event loop. Texts are parsed one after the other. The thread starts
 * with the first text and ends when it was idle for 10 seconds.
 */
export class YamlThread {
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param start starts the thread, whose program calls `serveYaml` */
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Parses a text and finds positions in it. Never rejects: a text that takes too long or too much memory is refused. */
  parse(text: string, paths: readonly DocumentPath[] = []): Promise<YamlAnswer> {
    const answer = this.#last.then(() => this.#ask(text, paths));
    this.#last = answer;
    return answer;
  }

  /** Ends the thread when the current texts are parsed. */
  async close(): Promise<void> {
    await this.#last;
    await this.#end();
  }

  async #ask(text: string, paths: readonly DocumentPath[]): Promise<YamlAnswer> {
    clearTimeout(this.#idle);
    const answer = await this.#answerOf(text, paths).catch(() => refuseYaml(FAILED));
    this.#idle = setTimeout(() => void this.#end(), YAML_THREAD_IDLE_MS).unref();
    return answer;
  }

  async #answerOf(text: string, paths: readonly DocumentPath[]): Promise<YamlAnswer> {
    const worker = this.#running();
    worker.ref();
    const answered = new AbortController();
    const { signal } = answered;
    try {
      worker.postMessage({ text, paths });
      return await Promise.race([
        once(worker, 'message', { signal }).then(([answer]) => answer as YamlAnswer),
        once(worker, 'exit', { signal }).then(() => Promise.reject(new Error(FAILED))),
        delay(YAML_THREAD_MS, undefined, { signal, ref: false }).then(async () => {
          await this.#end();
          return refuseYaml(TOO_LONG);
        }),
      ]);
    } catch (error) {
      await this.#end();
      throw error;
    } finally {
      answered.abort();
      worker.unref();
    }
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#start();
    // Without a listener, an error of the idle thread would end the process.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
