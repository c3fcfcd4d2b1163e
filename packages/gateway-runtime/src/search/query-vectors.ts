import { LRUCache } from 'lru-cache';

/** Cached vectors of queries. */
const MAX_QUERIES = 1000;

/** The most queries whose vectors are requested at one time. */
const MAX_REQUESTS = 8;

/** Requests the vector of a query; `undefined` when there is none. Never rejects. */
export type RequestQueryVector = (query: string) => Promise<Float32Array | undefined>;

/** Resolves with a result, or with `undefined` as soon as the signal aborts. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const giveUp = (): void => {
      resolve(undefined);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    void work.then((result) => {
      signal.removeEventListener('abort', giveUp);
      resolve(result);
    });
  });
}

/** The vectors of queries. Callers with the same query share one request, which a caller who gives up does not end. */
export class QueryVectors {
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
    return request && untilAborted(request, signal);
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
