import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PacedInput, type PausableSource, type InputBudget } from '../input-budget.ts';

export class ResponseTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`a message is larger than ${maxBytes} bytes`);
    this.name = 'ResponseTooLargeError';
  }
}

export interface AnswerReader {
  /** The body is a stream without an end, which is read within the budget of its server. */
  readonly isStream?: boolean;
  /** Reads the next chunk, whose bytes do not change. Returns `false` when no more chunks are needed. */
  push(chunk: Buffer): boolean;
  end(): void;
}

export class UnreadableBodyError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableBodyError';
  }
}

/** Maximum size of an unused body in bytes; reading more costs more than a new connection. */
const MAX_DROPPED_BYTES = 64 * 1024;

/** Discards the rest of an answer, so that its connection can be used again. */
export class DiscardedBody implements AnswerReader {
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

export interface BodySource {
  readonly connection: PausableSource;
  readonly budget: InputBudget;
}

/** Returns a reader that passes on a stream within the budget of its server. `onOver` is called when no more data is needed. */
export const createPacedReader = (
  reader: AnswerReader,
  { connection, budget }: BodySource,
  onOver: () => void,
): AnswerReader => {
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

const isBomb = ({ bytesWritten }: { readonly bytesWritten: number }, decodedBytes: number) =>
  decodedBytes > FREE_BYTES && decodedBytes > bytesWritten * MAX_RATIO;

/** Returns a reader for a body that a server compressed without being asked. `onOver` is called when no more of it is needed, or with an error. */
export const createDecodingReader = (
  coding: string,
  reader: AnswerReader,
  { connection, budget }: BodySource,
  onOver: (error: UnreadableBodyError | undefined) => void,
): AnswerReader => {
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
      ? createPacedReader(reader, { connection: flow, budget }, () => stop(undefined))
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
