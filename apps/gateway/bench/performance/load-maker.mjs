import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { resultOf } from '../framings.mjs';

const GENERATOR = join(import.meta.dirname, '../load-generator.mjs');
const LOAD_MS = 30_000;

/** The process that makes load. It is started when it is first needed, and again after a load that did not end. */
export class LoadMaker {
  #generator;

  /** Makes load and returns its figures. @throws {Error} when a request fails, or the load does not end in 30 s */
  async load(task) {
    this.#generator ??= fork(GENERATOR);
    const generator = this.#generator;
    const signal = AbortSignal.timeout(LOAD_MS);
    try {
      generator.send({ task });
      const [{ figures, problem }] = await once(generator, 'message', { signal });
      if (problem !== undefined) throw new Error(problem);
      if (figures.failed > 0) throw new Error(`${figures.failed} failed: ${figures.sample}`);
      resultOf(figures.sample);
      return figures;
    } catch (error) {
      this.close();
      throw signal.aborted ? new Error('the load does not end in 30 s') : error;
    }
  }

  close() {
    this.#generator?.kill('SIGKILL');
    this.#generator = undefined;
  }
}
