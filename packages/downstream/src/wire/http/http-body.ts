import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ResponseTooLargeError } from '../response-too-large.ts';

/** Reads the body of an answer. */
export interface BodyReader {
  /** Reads the next chunk. Returns `false` when no more chunks are needed. */
  push(chunk: Buffer): boolean;
  /** Called at the end of the body. */
  end(): void;
}

/** Thrown when a body cannot be decoded. */
export class UnreadableBodyError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableBodyError';
  }
}

const BOM = 0xfeff;

/** Collects a body as text within a bound and delivers it at the end. Invalid UTF-8 becomes U+FFFD. */
export class TextBody implements BodyReader {
  readonly #maxBytes: number;
  readonly #onText: (text: string) => void;
  readonly #onTooLarge: (error: Error) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    maxBytes: number,
    onText: (text: string) => void,
    onTooLarge: (error: Error) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#onText = onText;
    this.#onTooLarge = onTooLarge;
  }

  push(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      this.#chunks = [];
      this.#onTooLarge(new ResponseTooLargeError(this.#maxBytes));
      return false;
    }
    this.#chunks.push(chunk);
    return true;
  }

  end(): void {
    const [only] = this.#chunks;
    const whole =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#chunks = [];
    const text = whole.toString('utf8');
    this.#onText(text.charCodeAt(0) === BOM ? text.slice(1) : text);
  }
}

/** Maximum size of an unused body in bytes; reading more costs more than a new connection. */
const MAX_DROPPED_BYTES = 64 * 1024;

/** Discards the rest of an answer, so that its connection can be used again. */
export class DiscardedBody implements BodyReader {
  #bytes = 0;

  push(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    return this.#bytes <= MAX_DROPPED_BYTES;
  }

  end(): void {
    // The body is not used.
  }
}

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Returns a reader for a body that a server compressed without being asked.
 *
 * @param onOver called when the body cannot be decoded or no more of it is needed
 */
export const decodingReader = (
  coding: string,
  reader: BodyReader,
  onOver: (error: UnreadableBodyError | undefined) => void,
): BodyReader => {
  const decoder = DECODERS.get(coding)?.();
  if (decoder === undefined)
    throw new UnreadableBodyError(`it is encoded as ${JSON.stringify(coding.slice(0, 40))}`);
  decoder.on('data', (chunk: Buffer) => {
    if (decoder.destroyed || reader.push(chunk)) return;
    decoder.destroy();
    onOver(undefined);
  });
  decoder.on('end', () => reader.end());
  decoder.on('error', (error) =>
    onOver(new UnreadableBodyError(`it cannot be decoded: ${error.message}`)),
  );
  return {
    push(chunk) {
      if (!decoder.destroyed) decoder.write(chunk);
      // The buffered data is compressed, so it is bounded like the output.
      return !decoder.destroyed;
    },
    end: () => void decoder.end(),
  };
};
