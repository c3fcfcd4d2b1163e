import { isJsonObject } from '@gateway/call-contract';
import { createGuardedFetch, GuardedFetchError, type GuardedFetch } from '@gateway/guarded-fetch';

/** Greatest size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Greatest length of a vector. */
const MAX_DIMENSIONS = 8192;

/** The endpoint that returns vectors. */
export interface EmbeddingEndpoint {
  /** The whole URL, as `https://host/v1/embeddings`. `http` is permitted for loopback and private addresses. */
  readonly url: string;
  readonly model: string;
  /** The bearer token; absent when the endpoint requires none. */
  readonly key?: string;
}

/** Vectors of length 1, in the order of the texts, or the reason why there are none, without text of the endpoint. */
export type EmbeddingOutcome =
  | { readonly ok: true; readonly vectors: readonly Float32Array[] }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The endpoint refuses these texts (400, 413 or 422); it can accept others. */
      readonly refusesTexts: boolean;
    };

/** Requests the vectors of texts. Never rejects. */
export type RequestEmbeddings = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<EmbeddingOutcome>;

/** Statuses that are about the texts of a request: one that is not accepted, or too much of it. */
const TEXT_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

const createRefusal = (reason: string, refusesTexts = false): EmbeddingOutcome => ({
  ok: false,
  reason,
  refusesTexts,
});

/** Returns a vector of length 1, so that the product of two is their similarity; `undefined` for anything else. */
function toUnitVector(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMENSIONS)
    return undefined;
  if (!value.every((one) => typeof one === 'number' && Number.isFinite(one))) return undefined;
  const numbers = value as readonly number[];
  const length = Math.hypot(...numbers);
  return length > 0 && Number.isFinite(length)
    ? Float32Array.from(numbers, (one) => one / length)
    : undefined;
}

/** A vector of a response and the number of its text. */
type Numbered = readonly [number: unknown, vector: Float32Array];

/** Items without an `index` are in the order of the texts. */
function toVectorEntries(item: unknown, position: number): readonly Numbered[] {
  const vector = isJsonObject(item) ? toUnitVector(item['embedding']) : undefined;
  if (vector === undefined || !isJsonObject(item)) return [];
  return [[item['index'] ?? position, vector]];
}

/** Reads the vectors of a response in the order of the texts: one for each, all of one length. */
function readVectors(body: unknown, count: number): readonly Float32Array[] | undefined {
  const data = isJsonObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const byNumber = new Map<unknown, Float32Array>(
    (data as readonly unknown[]).flatMap(toVectorEntries),
  );
  const vectors = Array.from({ length: count }, (_, index) => byNumber.get(index) ?? []);
  const [first = []] = vectors;
  const isComplete = vectors.every((one) => one.length > 0 && one.length === first.length);
  return isComplete ? (vectors as readonly Float32Array[]) : undefined;
}

async function readResponse(response: Response, count: number): Promise<EmbeddingOutcome> {
  const { ok, status } = response;
  if (!ok)
    return createRefusal(`the endpoint answered ${status.toString()}`, TEXT_STATUSES.has(status));
  const body: unknown = await response.json().catch(() => undefined);
  const vectors = readVectors(body, count);
  return vectors === undefined
    ? createRefusal('the endpoint answered something else than a vector for each text')
    : { ok: true, vectors };
}

/** Returns the function that requests vectors from an endpoint. A response is bounded in size and time. */
export function createEmbeddingRequest(
  { url, model, key }: EmbeddingEndpoint,
  timeoutMs: number,
): RequestEmbeddings {
  // The operator names the URL, in a cluster often that of a service.
  const fetch: GuardedFetch = createGuardedFetch({
    allowPrivate: true,
    allowPlain: () => true,
    maxBytes: MAX_RESPONSE_BYTES,
    timeoutMs,
  });
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return async (texts, signal) => {
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float' });
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      return await readResponse(response, texts.length);
    } catch (error) {
      return createRefusal(
        error instanceof GuardedFetchError ? error.message : 'the request failed',
      );
    }
  };
}
