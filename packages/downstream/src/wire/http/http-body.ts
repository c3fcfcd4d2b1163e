import { ByteCollector } from '@gateway/mcp-wire';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PacedInput } from '../turn-budget.ts';
import type { PausableSource, TurnBudget } from '../turn-budget.ts';

/** Thrown when a message of a server exceeds its bound. */
export class ResponseTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`a message is larger than ${maxBytes} bytes`);
    this.name = 'ResponseTooLargeError';
  }
}

/** Reads the body of an answer. */
export interface BodyReader {
  /** The body is a stream without an end, which is read within the budget of its server. */
  readonly isStream?: boolean;
  /** Reads the next chunk, whose bytes do not change. Returns `false` when no more chunks are needed. */
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

const BOM = Buffer.from('\ufeff');

/** The bounds of a body that is read as a whole. */
export interface BodySize {
  readonly maxBytes: number;
  /** Number of bytes of the whole body; `undefined` when it is not known. */
  readonly bytes: number | undefined;
}

/** Collects a body within a bound and delivers it at the end, without a byte order mark. */
export class WholeBody implements BodyReader {
  readonly #size: BodySize;
  readonly #onBody: (bytes: Buffer) => void;
  readonly #onTooLarge: (error: Error) => void;
  readonly #chunks = new ByteCollector();
  #bytes = 0;
  /** A body of a known size. */
  #whole: Buffer | undefined;

  constructor(size: BodySize, onBody: (bytes: Buffer) => void, onTooLarge: (error: Error) => void) {
    this.#size = size;
    this.#onBody = onBody;
    this.#onTooLarge = onTooLarge;
  }

  push(chunk: Buffer): boolean {
    const { maxBytes, bytes } = this.#size;
    this.#bytes += chunk.length;
    if (Math.max(this.#bytes, bytes ?? 0) > maxBytes) {
      this.#chunks.clear();
      this.#onTooLarge(new ResponseTooLargeError(maxBytes));
      return false;
    }
    if (bytes === undefined) this.#chunks.push(chunk);
    else if (chunk.length === bytes) this.#whole = chunk;
    else {
      // The memory of what has not arrived is reserved and not used.
      this.#whole ??= Buffer.allocUnsafeSlow(bytes);
      chunk.copy(this.#whole, this.#bytes - chunk.length);
    }
    return true;
  }

  end(): void {
    const whole = this.#whole ?? this.#chunks.take();
    const hasMark = whole.subarray(0, BOM.length).equals(BOM);
    this.#onBody(hasMark ? whole.subarray(BOM.length) : whole);
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

/** A body as it arrives. */
export interface BodySource {
  /** Pauses and resumes the connection. */
  readonly connection: PausableSource;
  readonly budget: TurnBudget;
}

/**
 * Returns a reader that passes on a stream within the budget of its server.
 *
 * @param onOver called when no more data is needed
 */
export const pacedReader = (
  reader: BodyReader,
  { connection, budget }: BodySource,
  onOver: () => void,
): BodyReader => {
  const push = (slice: Buffer): boolean => {
    const isNeeded = reader.push(slice);
    if (!isNeeded) onOver();
    return isNeeded;
  };
  const input = new PacedInput(budget, connection, { push, end: () => reader.end() });
  return {
    push(chunk) {
      input.push(chunk);
      return true;
    },
    end: () => input.end(),
  };
};

/** Size that a body may have however small it is compressed, in bytes. */
const FREE_BYTES = 1024 * 1024;

/** Largest ratio of a body to its compressed size. JSON is rarely compressed to less than a fiftieth. */
const MAX_RATIO = 200;

/** Returns whether a decoded body is much larger than any useful one of its compressed size. */
const isBomb = ({ bytesWritten }: { readonly bytesWritten: number }, decodedBytes: number) =>
  decodedBytes > FREE_BYTES && decodedBytes > bytesWritten * MAX_RATIO;

/**
 * Returns a reader for a body that a server compressed without being asked.
 *
 * @param onOver called when the body cannot be decoded or no more of it is needed
 */
export const decodingReader = (
  coding: string,
  reader: BodyReader,
  { connection, budget }: BodySource,
  onOver: (error: UnreadableBodyError | undefined) => void,
): BodyReader => {
  const decoder = DECODERS.get(coding)?.();
  if (decoder === undefined)
    throw new UnreadableBodyError(`it is encoded as ${JSON.stringify(coding.slice(0, 40))}`);
  const stop = (error: UnreadableBodyError | undefined): void => {
    decoder.destroy();
    onOver(error);
  };
  const flow = { pause: () => void decoder.pause(), resume: () => void decoder.resume() };
  const decoded =
    reader.isStream === true
      ? pacedReader(reader, { connection: flow, budget }, () => stop(undefined))
      : reader;
  let decodedBytes = 0;
  decoder.on('data', (chunk: Buffer) => {
    if (decoder.destroyed) return;
    decodedBytes += chunk.length;
    if (isBomb(decoder, decodedBytes))
      stop(new UnreadableBodyError(`it expands to more than ${MAX_RATIO} times its size`));
    else if (!decoded.push(chunk)) stop(undefined);
  });
  decoder.on('end', () => decoded.end());
  decoder.on('drain', () => connection.resume());
  decoder.on('error', (error) =>
    onOver(new UnreadableBodyError(`it cannot be decoded: ${error.message}`)),
  );
  return {
    push(chunk) {
      if (!decoder.destroyed && !decoder.write(chunk)) connection.pause();
      return !decoder.destroyed;
    },
    end: () => void decoder.end(),
  };
};
