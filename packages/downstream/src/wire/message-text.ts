import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  JsonScan,
  jsonProblemText,
  keepText,
  PARSED,
  parseJson,
  RawObject,
  scanPaced,
  textIn,
  UNPACED_BYTES,
  type JsonSlice,
  type RequestedParts,
} from '@gateway/mcp-wire';

/** The parts of a message that the gateway reads, whatever else is in it. */
const MESSAGE: RequestedParts = {
  members: {
    method: {},
    params: {},
    result: {
      members: {
        _meta: {},
        isError: {},
        content: {},
        description: {},
        resultType: {},
        structuredContent: {},
        contents: {},
        messages: {},
        ttlMs: {},
        cacheScope: {},
      },
    },
  },
};

const BYTE_ORDER_MARK_BYTES = 3;

const parsed = (text: string | Uint8Array): unknown => {
  const outcome = parseJson(text, PARSED);
  if (!outcome.ok) throw new SyntaxError(jsonProblemText(outcome.problem));
  return outcome.value;
};

/** Returns an answer whose result is not parsed: what surrounds it is. */
const answerIn = (
  bytes: Uint8Array,
  root: JsonSlice,
  result: JsonSlice,
): JsonObject | undefined => {
  const raw = RawObject.at(bytes, result);
  if (raw === undefined) return undefined;
  const around = `${textIn(bytes, root.from, result.from)}null${textIn(bytes, result.to, root.to)}`;
  return { ...(parsed(around) as JsonObject), result: raw };
};

/**
 * Returns the message of an ended scan.
 *
 * @throws SyntaxError when it is not JSON, or must be parsed and is too much for that
 */
const messageIn = (scan: JsonScan, bytes: Uint8Array): unknown => {
  const { root, problem } = scan;
  if (root === undefined) {
    const reason = problem === undefined ? 'it is empty' : jsonProblemText(problem);
    throw new SyntaxError(reason);
  }
  const { result, method, params } = root.members ?? {};
  if (result !== undefined && method === undefined) {
    const answer = answerIn(bytes, root, result);
    if (answer !== undefined) return answer;
  }
  const value = parsed(bytes);
  if (params !== undefined && isJsonObject(value) && isJsonObject(value['params']))
    keepText(value['params'], textIn(bytes, params.from, params.to));
  return value;
};

/** Returns a message whose result, if it is a `RawObject`, is parsed for a reader of values. */
export const withParsedResult = (message: JsonObject): JsonObject => {
  const { result } = message;
  return result instanceof RawObject ? { ...message, result: parsed(result.text) } : message;
};

/** Receives messages in the order in which they arrived. */
export interface MessageSink {
  /** A message: any JSON value, parsed except for the result of an answer, which is a `RawObject`. */
  onMessage(value: unknown): void;
  /** A text that is not JSON, or must be parsed and is too much for that. */
  onUnreadable(reason: SyntaxError): void;
}

/** Reads the messages of one channel. A large one is scanned in slices, and those behind it wait. */
export class MessageReader {
  readonly #sink: MessageSink;
  readonly #waiting: (Uint8Array | (() => void))[] = [];
  #isScanning = false;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  /** Reads the JSON text of one message (UTF-8). The bytes must not change afterwards. */
  push(bytes: Uint8Array): void {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    this.#take(hasMark ? bytes.subarray(BYTE_ORDER_MARK_BYTES) : bytes);
  }

  /** Calls a function when all messages before it were delivered. */
  afterMessages(act: () => void): void {
    this.#take(act);
  }

  #take(next: Uint8Array | (() => void)): void {
    if (this.#isScanning) this.#waiting.push(next);
    else if (typeof next === 'function') next();
    else this.#read(next);
  }

  #read(bytes: Uint8Array): void {
    const scan = new JsonScan(bytes, MESSAGE);
    if (bytes.length <= UNPACED_BYTES) {
      scan.advance();
      this.#deliver(scan, bytes);
      return;
    }
    this.#isScanning = true;
    void scanPaced(scan).then(() => {
      this.#isScanning = false;
      this.#deliver(scan, bytes);
      this.#continue();
    });
  }

  /** Takes what waits, up to the next large message. */
  #continue(): void {
    const waiting = this.#waiting.splice(0);
    for (const next of waiting) this.#take(next);
  }

  #deliver(scan: JsonScan, bytes: Uint8Array): void {
    let value: unknown;
    try {
      value = messageIn(scan, bytes);
    } catch (error) {
      this.#sink.onUnreadable(
        error instanceof SyntaxError ? error : new SyntaxError(String(error)),
      );
      return;
    }
    this.#sink.onMessage(value);
  }
}
