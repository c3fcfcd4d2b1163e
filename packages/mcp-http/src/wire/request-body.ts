import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { JsonScan } from '@gateway/mcp-wire';
import { MESSAGE_TEXTS, keepMessageTexts } from '../protocol/client-message.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import { type EndpointRefusal, toRpcError, toRefusalStatus } from '../protocol/refusal.ts';
import { discardBody, ignoreError } from './incoming-exchange.ts';

/** The result of reading a request body. */
export type ReadBody =
  | { readonly kind: 'body'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: EndpointRefusal }
  /** The caller disconnected before the body was complete: there is no recipient for an answer. */
  | { readonly kind: 'gone' };

/** The result of collecting the bytes of a request body. */
type ReadBytes =
  { readonly kind: 'bytes'; readonly bytes: Buffer } | Exclude<ReadBody, { readonly kind: 'body' }>;

/** The bounds of a body. */
type BodyLimits = Pick<
  McpHttpLimits,
  'maxBodyBytes' | 'maxBufferedBodyBytes' | 'maxNesting' | 'maxBodyValues'
>;

type Refused = Extract<ReadBody, { readonly kind: 'refused' }>;

const createRefusal = (refusal: EndpointRefusal): Refused => ({ kind: 'refused', refusal });

const GONE = { kind: 'gone' } as const;

/**
 * A body up to this fraction of the budget, 16 KiB of 64 MiB, is read even when large bodies of other callers occupy all of it: callers
 * that never finish their bodies would otherwise exclude everyone. The number of connections limits what these bodies add.
 */
const SMALL_SHARE = 4096;

/** Parses the text of a message or a batch within the bounds; what is forwarded of it keeps its text. */
export const parseBody = (bytes: Buffer, limits: BodyLimits): Exclude<ReadBody, typeof GONE> => {
  const isPlain = isAscii(bytes);
  if (!isPlain && !isUtf8(bytes)) return createRefusal({ code: 'not-json' });
  const { maxNesting: maxLevels, maxBodyValues: maxValues } = limits;
  const scan = new JsonScan(bytes, MESSAGE_TEXTS, { maxLevels, maxValues });
  scan.advance();
  const { root, problem } = scan;
  if (problem?.code === 'json.too-deep')
    return createRefusal({ code: 'too-deep', limit: maxLevels });
  if (problem?.code === 'json.too-many-values')
    return createRefusal({ code: 'too-many-values', limit: maxValues });
  if (root === undefined) return createRefusal({ code: 'not-json' });
  const value = JSON.parse(bytes.toString(isPlain ? 'latin1' : 'utf8')) as unknown;
  keepMessageTexts(value, root, bytes);
  return { kind: 'body', value };
};

/** Reads JSON request bodies under one budget of bytes, so that many slow senders cannot fill the memory. */
export class RequestBodyReader {
  readonly #limits: BodyLimits;
  #bufferedBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Bytes of bodies that are held at the moment. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Reads one body to its end, parses it and hands it over, once; the listener must not throw. */
  read(request: IncomingMessage, done: (body: ReadBody) => void): void {
    this.readBytes(request, (read) =>
      done(read.kind === 'bytes' ? parseBody(read.bytes, this.#limits) : read),
    );
  }

  /** Reads one body to its end and hands it over, once; the listener must not throw. */
  readBytes(request: IncomingMessage, done: (read: ReadBytes) => void): void {
    if (Number(request.headers['content-length']) > this.#limits.maxBodyBytes) {
      done(createRefusal({ code: 'body-too-large', limit: this.#limits.maxBodyBytes }));
      return;
    }
    // The listeners stay when the body is read: taking them off would cost more than the flag.
    let isOver = false;
    let size = 0;
    let chunks: Buffer | Buffer[] | undefined;
    const finish = (): void => {
      isOver = true;
      this.#bufferedBytes -= size;
      chunks = undefined;
    };
    request.on('error', ignoreError);
    request.on('data', (chunk: Buffer) => {
      if (isOver) return;
      size += chunk.length;
      this.#bufferedBytes += chunk.length;
      chunks = addChunk(chunks, chunk);
      const refusal = this.#overflow(size);
      if (refusal === undefined) return;
      finish();
      done(createRefusal(refusal));
    });
    request.on('end', () => {
      if (isOver) return;
      const bytes = Array.isArray(chunks) ? Buffer.concat(chunks) : (chunks ?? Buffer.alloc(0));
      finish();
      done({ kind: 'bytes', bytes });
    });
    request.on('close', () => {
      if (isOver) return;
      finish();
      done(GONE);
    });
  }

  #overflow(size: number): EndpointRefusal | undefined {
    const { maxBodyBytes, maxBufferedBodyBytes } = this.#limits;
    if (size > maxBodyBytes) return { code: 'body-too-large', limit: maxBodyBytes };
    const isSmall = size * SMALL_SHARE <= maxBufferedBodyBytes;
    if (this.#bufferedBytes > maxBufferedBodyBytes && !isSmall) {
      return { code: 'bodies-full', limit: maxBufferedBodyBytes };
    }
    return undefined;
  }
}

/** Nearly all bodies are one chunk. */
const addChunk = (chunks: Buffer | Buffer[] | undefined, chunk: Buffer): Buffer | Buffer[] => {
  if (chunks === undefined) return chunk;
  if (!Array.isArray(chunks)) return [chunks, chunk];
  chunks.push(chunk);
  return chunks;
};

/** The result of reading the body of a request to a further route. */
export type RouteBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /**
   * Larger than one body or all bodies together may be. The rest is discarded within bounds, so that the sender can read the
   * answer.
   */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** The caller disconnected before the body was complete: there is no recipient for an answer. */
  | { readonly kind: 'gone' };

/** Reads whole bodies of requests to further routes of a server, under the bounds that the endpoint has for its own. Never rejects. */
export const createBodyReader = (
  limits: Partial<Pick<McpHttpLimits, 'maxBodyBytes' | 'maxBufferedBodyBytes'>> = {},
): ((request: IncomingMessage) => Promise<RouteBody>) => {
  const reader = new RequestBodyReader({ ...DEFAULT_MCP_HTTP_LIMITS, ...limits });
  return (request) =>
    new Promise((resolve) => {
      reader.readBytes(request, (read) => {
        if (read.kind !== 'refused') {
          resolve(read);
          return;
        }
        discardBody(request);
        const { refusal } = read;
        const { message } = toRpcError(refusal);
        resolve({ kind: 'refused', status: toRefusalStatus(refusal), message });
      });
    });
};
