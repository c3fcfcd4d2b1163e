import { createHash } from 'node:crypto';
import { type Backoff, computeBackoffDelay, raceLimit } from '@gateway/call-contract';
import { LRUCache } from 'lru-cache';
import {
  createEmbeddingRequest,
  type EmbeddingEndpoint,
  type EmbeddingOutcome,
  type RequestEmbeddings,
} from './embedding-request.ts';

/** Numbers of vectors that are multiplied before other work of the process gets its turn: a few milliseconds. */
export const SLICE_NUMBERS = 2_000_000;

/** Returns the similarity of two vectors of one length, each of length 1: between -1 and 1. */
function computeSimilarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

const waitTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Scored {
  readonly index: number;
  readonly value: number;
}

/**
 * Returns the indexes of the vectors that are most similar to a vector, best first; vectors of another length are left out. After each
 * {@link SLICE_NUMBERS} numbers other work of the process runs. `undefined` when the signal aborts meanwhile.
 */
export async function findNearestVectors(
  vector: Float32Array,
  vectors: readonly (Float32Array | undefined)[],
  count: number,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const scored: Scored[] = [];
  let numbers = 0;
  for (const [index, one] of vectors.entries()) {
    if (one?.length !== vector.length) continue;
    scored.push({ index, value: computeSimilarity(vector, one) });
    numbers += vector.length;
    if (numbers < SLICE_NUMBERS) continue;
    numbers = 0;
    await waitTurn();
    if (signal.aborted) return undefined;
  }
  return scored
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, count)
    .map(({ index }) => index);
}

/** Cached vectors of queries. */
const MAX_QUERIES = 1000;

/** The most queries whose vectors are requested at one time. */
const MAX_REQUESTS = 8;

/** Requests the vector of a query; `undefined` when there is none. Never rejects. */
type RequestQueryVector = (query: string) => Promise<Float32Array | undefined>;

/** The vectors of queries. Callers with the same query share one request, which a caller who gives up does not end. */
class QueryVectors {
  readonly #request: RequestQueryVector;
  readonly #vectors = new LRUCache<string, Float32Array>({ max: MAX_QUERIES });
  readonly #requests = new Map<string, Promise<Float32Array | undefined>>();

  constructor(request: RequestQueryVector) {
    this.#request = request;
  }

  /** Returns the vector that is cached. */
  known(query: string): Float32Array | undefined {
    return this.#vectors.get(query);
  }

  /** Forgets all vectors. */
  clear(): void {
    this.#vectors.clear();
  }

  /** Returns the vector of a query; `undefined` when there is none, and without a request while 8 others are under way. */
  async get(query: string, signal: AbortSignal): Promise<Float32Array | undefined> {
    if (signal.aborted || query.trim() === '') return undefined;
    const known = this.known(query);
    if (known !== undefined) return known;
    const request = this.#requests.get(query) ?? this.#start(query);
    return request && raceLimit(request, { signal }, () => undefined);
  }

  #start(query: string): Promise<Float32Array | undefined> | undefined {
    if (this.#requests.size >= MAX_REQUESTS) return undefined;
    const request = this.#request(query).then((vector) => {
      this.#requests.delete(query);
      if (vector !== undefined) this.#vectors.set(query, vector);
      return vector;
    });
    this.#requests.set(query, request);
    return request;
  }
}

/** Texts in one request. */
const BATCH = 64;

/** Time limit of a request for the vectors of texts, in milliseconds; nothing waits for it. */
const BATCH_TIMEOUT_MS = 60_000;

/** Used length of a text and of a query, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 2000;

/** The most texts that are returned for a query. */
const MAX_NEAREST = 50;

/** The most texts that wait for a request. */
const MAX_WAITING = 200_000;

/** The most that all cached vectors of texts take, in bytes. */
const MAX_VECTOR_BYTES = 512 * 1024 * 1024;

/** Time after which a refused text is requested again, and between two times that all are, in milliseconds. */
const REFUSED_MS = 3_600_000;

/** The times after failures in which nothing is requested. */
const DELAYS: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/** A text that any endpoint accepts: separates a refused text from an endpoint that refuses everything. */
const PLAIN_TEXT = 'text';

/** Endpoints refuse a text with half of a character, as at the end of a shortened one: UTF-8 has a replacement for it. */
const truncateText = (text: string): string =>
  Buffer.from(text.slice(0, MAX_TEXT_CHARACTERS)).toString();

/** Texts without a vector, each with its hash. */
type Batch = readonly (readonly [hash: string, text: string])[];

/** A text that is ranked. Its hash is computed once, when it is created by {@link toEmbeddedText}. */
export interface EmbeddedText {
  readonly text: string;
  readonly hash: string;
}

/** Returns a text, up to its used length, with its hash. */
export const toEmbeddedText = (text: string): EmbeddedText => {
  const part = truncateText(text);
  return { text: part, hash: createHash('sha256').update(part).digest('base64') };
};

interface EmbeddingsOptions extends EmbeddingEndpoint {
  /** Time that a ranking waits for the vector of its query, in milliseconds. */
  readonly timeoutMs: number;
  /** Cached vectors of texts, of at most 512 MiB; the least recently used ones are evicted. */
  readonly maxVectors: number;
  /** Receives one sentence when the endpoint stops answering, when it answers again, and when its vectors get another length. The sentence has no key and no text. */
  readonly onChange?: (text: string) => void;
  /** The time in milliseconds; default: that of the process. */
  readonly now?: () => number;
}

/** Ranks texts by the similarity of their meaning to a query, by the vectors of an endpoint. It requests nothing before its first use. */
export class Embeddings {
  readonly #options: EmbeddingsOptions;
  readonly #requestBatch: RequestEmbeddings;
  readonly #requestQuery: RequestEmbeddings;
  readonly #vectors: LRUCache<string, Float32Array>;
  readonly #queries = new QueryVectors((query) => this.#requestQueryVector(query));
  /** The hashes of texts that the endpoint refuses. */
  readonly #refused: LRUCache<string, true>;
  /** The texts without a vector, by hash. */
  readonly #waiting = new Map<string, string>();
  readonly #closed = new AbortController();
  readonly #now: () => number;
  #renewAfter = -Infinity;
  /** Consecutive failures, and the time of the next attempt. */
  #failures = 0;
  #retryAt = -Infinity;
  #work: Promise<void> | undefined;

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
    this.#requestBatch = createEmbeddingRequest(options, BATCH_TIMEOUT_MS);
    this.#requestQuery = createEmbeddingRequest(options, options.timeoutMs);
    this.#now = options.now ?? (() => performance.now());
    const { maxVectors: max } = options;
    this.#vectors = new LRUCache({
      max,
      maxSize: MAX_VECTOR_BYTES,
      sizeCalculation: ({ byteLength }) => byteLength,
    });
    this.#refused = new LRUCache({ max, ttl: REFUSED_MS });
  }

  /**
   * Returns the indexes of the texts nearest to a query, best first, at most 50; `undefined` while there are no vectors. Texts without a vector
   * are left out, and their vectors are requested in the background. When the lengths of the vectors differ, all are requested again, at most
   * once an hour. Never rejects.
   */
  async rank(
    query: string,
    texts: readonly EmbeddedText[],
    signal: AbortSignal,
  ): Promise<readonly number[] | undefined> {
    const vectors = this.#findVectors(texts);
    if (!vectors.some((vector) => vector !== undefined)) return undefined;
    const vector = await this.#findQueryVector(truncateText(query), signal);
    if (vector === undefined) return undefined;
    if (vectors.some((one) => one !== undefined && one.length !== vector.length)) this.#renew();
    const found = await findNearestVectors(vector, vectors, MAX_NEAREST, signal);
    return found?.length === 0 ? undefined : found;
  }

  /** Resolves when no vector of a text is being requested. */
  async idle(): Promise<void> {
    await this.#work;
  }

  /** Ends all requests. */
  close(): void {
    this.#closed.abort();
  }

  /** Forgets all vectors, because the endpoint has another model than before. An endpoint that mixes lengths costs one renewal an hour. */
  #renew(): void {
    if (this.#now() < this.#renewAfter) return;
    this.#renewAfter = this.#now() + REFUSED_MS;
    this.#vectors.clear();
    this.#queries.clear();
    this.#options.onChange?.(
      'the endpoint of the embeddings answers vectors of another length than before, so all are requested again',
    );
  }

  /** Returns the vectors that are cached, and requests the others. */
  #findVectors(texts: readonly EmbeddedText[]): readonly (Float32Array | undefined)[] {
    const vectors = texts.map(({ text, hash }) => {
      const vector = this.#vectors.get(hash);
      const isMissing = vector === undefined && this.#waiting.size < MAX_WAITING;
      if (isMissing && this.#isRequestable(text, hash)) this.#waiting.set(hash, text);
      return vector;
    });
    if (this.#waiting.size > 0 && this.#isDue) {
      this.#work ??= this.#requestWaiting().finally(() => {
        this.#work = undefined;
      });
    }
    return vectors;
  }

  get #isDue(): boolean {
    return this.#now() >= this.#retryAt;
  }

  #isRequestable(text: string, hash: string): boolean {
    return text.trim() !== '' && !this.#refused.has(hash);
  }

  /** Requests batch after batch until all are there or the endpoint fails; the next ranking starts it again. */
  async #requestWaiting(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#closed.signal.aborted) {
      const failure = await this.#requestTexts([...this.#waiting].slice(0, BATCH), false);
      if (failure === undefined) continue;
      this.#note(failure);
      // The next ranking requests the texts that it still misses.
      this.#waiting.clear();
    }
  }

  /**
   * Requests the vectors of texts. When the endpoint refuses them, but accepts another text, halves are requested, until only the texts that it
   * refuses are left out. Returns the failure of the endpoint.
   * @param isHalf whether the endpoint is known to accept another text
   */
  async #requestTexts(batch: Batch, isHalf: boolean): Promise<EmbeddingOutcome | undefined> {
    const outcome = await this.#request(batch.map(([, text]) => text));
    if (outcome.ok) {
      this.#note(outcome);
      for (const [index, [hash]] of batch.entries()) this.#keep(hash, outcome.vectors[index]);
      return undefined;
    }
    const isOnlyTexts = outcome.refusesTexts && (isHalf || (await this.#request([PLAIN_TEXT])).ok);
    if (!isOnlyTexts) return outcome;
    const [[hash] = ['']] = batch;
    if (batch.length === 1) {
      this.#refused.set(hash, true);
      this.#keep(hash, undefined);
      return undefined;
    }
    const middle = Math.ceil(batch.length / 2);
    const failure = await this.#requestTexts(batch.slice(0, middle), true);
    return failure ?? (await this.#requestTexts(batch.slice(middle), true));
  }

  #request(texts: readonly string[]): Promise<EmbeddingOutcome> {
    return this.#requestBatch(texts, this.#closed.signal);
  }

  #keep(hash: string, vector: Float32Array | undefined): void {
    if (vector !== undefined) this.#vectors.set(hash, vector);
    this.#waiting.delete(hash);
  }

  async #findQueryVector(query: string, signal: AbortSignal): Promise<Float32Array | undefined> {
    return this.#isDue ? this.#queries.get(query, signal) : this.#queries.known(query);
  }

  async #requestQueryVector(query: string): Promise<Float32Array | undefined> {
    const outcome = await this.#requestQuery([query], this.#closed.signal);
    // A refused query says nothing about the endpoint.
    if (outcome.ok || !outcome.refusesTexts) this.#note(outcome);
    return outcome.ok ? outcome.vectors[0] : undefined;
  }

  #note(outcome: EmbeddingOutcome): void {
    if (this.#closed.signal.aborted) return;
    const { onChange = () => undefined } = this.#options;
    const hadFailures = this.#failures > 0;
    if (outcome.ok) {
      this.#failures = 0;
      this.#retryAt = -Infinity;
      if (hadFailures) onChange('the embeddings are available again');
      return;
    }
    this.#retryAt = this.#now() + computeBackoffDelay(this.#failures, DELAYS);
    this.#failures += 1;
    if (!hadFailures)
      onChange(`the embeddings are not available, so words alone are ranked: ${outcome.reason}`);
  }
}
