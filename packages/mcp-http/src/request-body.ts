import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isNestedDeeper } from './json-nesting.ts';
import type { McpHttpLimits } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** What came of reading a request body. */
export type ReadBody =
  | { readonly kind: 'body'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The caller went away before the body was complete: there is nobody to answer. */
  | { readonly kind: 'gone' };

type BodyLimits = Pick<McpHttpLimits, 'maxBodyBytes' | 'maxBufferedBodyBytes' | 'maxNesting'>;

type Chunks =
  { readonly kind: 'bytes'; readonly bytes: Buffer } | Exclude<ReadBody, { readonly kind: 'body' }>;

const refused = (refusal: Refusal): Extract<ReadBody, { kind: 'refused' }> => ({
  kind: 'refused',
  refusal,
});

/** Reads JSON request bodies under one budget of bytes, so that many slow senders cannot fill the memory. */
export class BodyReader {
  readonly #limits: BodyLimits;
  #bufferedBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Bytes of bodies that are held at the moment. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Reads one body to its end and parses it; never rejects. */
  async read(request: IncomingMessage): Promise<ReadBody> {
    if (Number(request.headers['content-length']) > this.#limits.maxBodyBytes) {
      return refused({ code: 'body-too-large', limit: this.#limits.maxBodyBytes });
    }
    const chunks = await this.#collect(request);
    return chunks.kind === 'bytes' ? this.#parse(chunks.bytes) : chunks;
  }

  #parse(bytes: Buffer): ReadBody {
    if (!isUtf8(bytes)) return refused({ code: 'not-json' });
    if (isNestedDeeper(bytes, this.#limits.maxNesting)) {
      return refused({ code: 'too-deep', limit: this.#limits.maxNesting });
    }
    try {
      return { kind: 'body', value: JSON.parse(bytes.toString('utf8')) as unknown };
    } catch {
      return refused({ code: 'not-json' });
    }
  }

  #collect(request: IncomingMessage): Promise<Chunks> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const settle = (outcome: Chunks): void => {
        request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
        // Without a listener a late error of the stream would end the process.
        request.on('error', () => undefined);
        this.#bufferedBytes -= size;
        size = 0;
        resolve(outcome);
      };
      const onData = (chunk: Buffer): void => {
        size += chunk.length;
        this.#bufferedBytes += chunk.length;
        chunks.push(chunk);
        const refusal = this.#overflow(size);
        if (refusal !== undefined) settle(refused(refusal));
      };
      const onEnd = (): void => {
        const [first] = chunks;
        const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
        settle({ kind: 'bytes', bytes });
      };
      const onClose = (): void => {
        settle({ kind: 'gone' });
      };
      request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    });
  }

  #overflow(size: number): Refusal | undefined {
    const { maxBodyBytes, maxBufferedBodyBytes } = this.#limits;
    if (size > maxBodyBytes) return { code: 'body-too-large', limit: maxBodyBytes };
    if (this.#bufferedBytes > maxBufferedBodyBytes) {
      return { code: 'bodies-full', limit: maxBufferedBodyBytes };
    }
    return undefined;
  }
}
