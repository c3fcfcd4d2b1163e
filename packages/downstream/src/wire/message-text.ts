import { isJsonObject, type JsonObject, RPC_CODE } from '@gateway/call-contract';
import {
  formatJsonProblem,
  JsonScan,
  type JsonSlice,
  storeSourceText,
  PARSE_LIMITS,
  parseJson,
  RawObject,
  type RequestedParts,
  scanInSlices,
  decodeText,
  MAX_SYNC_SCAN_BYTES,
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

const BATCH: RequestedParts = { elements: MESSAGE };

const BYTE_ORDER_MARK_BYTES = 3;

const parseMessageJson = (text: string | Uint8Array): unknown => {
  const outcome = parseJson(text, PARSE_LIMITS);
  if (!outcome.ok) throw new SyntaxError(formatJsonProblem(outcome.problem));
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
  const around = `${decodeText(bytes, root.from, result.from)}null${decodeText(bytes, result.to, root.to)}`;
  return { ...(parseMessageJson(around) as JsonObject), result: raw };
};

const QUOTE = 0x22;

/** Returns the message or the batch at a place. @throws SyntaxError when it must be parsed and is too much for that */
const readMessage = (bytes: Uint8Array, root: JsonSlice): unknown => {
  if (root.elements !== undefined)
    return root.elements.map((message) => readMessage(bytes, message));
  const { result, method, params } = root.members ?? {};
  // An answer of a server that writes absent members may have the method `null`.
  const isRequest = method !== undefined && bytes[method.from] === QUOTE;
  if (result !== undefined && !isRequest) {
    const answer = answerIn(bytes, root, result);
    if (answer !== undefined) return answer;
  }
  const value = parseMessageJson(bytes.subarray(root.from, root.to));
  if (params !== undefined && isJsonObject(value) && isJsonObject(value['params']))
    storeSourceText(value['params'], decodeText(bytes, params.from, params.to));
  return value;
};

const OPEN_BRACKET = 0x5b;

const SPACES: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\n\r'));

/** Begins the scan of a message or a batch. A batch has the bounds of what is parsed: each of its messages is kept in memory. */
const createScan = (bytes: Uint8Array): JsonScan => {
  let from = 0;
  while (SPACES.has(bytes[from])) from += 1;
  return bytes[from] === OPEN_BRACKET
    ? new JsonScan(bytes, BATCH, PARSE_LIMITS)
    : new JsonScan(bytes, MESSAGE);
};

/** Returns the message or the batch of an ended scan. Throws a SyntaxError when it is not JSON, or must be parsed and is too large. */
const resolveMessage = ({ root, problem }: JsonScan, bytes: Uint8Array): unknown => {
  if (root !== undefined) return readMessage(bytes, root);
  throw new SyntaxError(problem === undefined ? 'it is empty' : formatJsonProblem(problem));
};

/** Returns a message whose result, if it is a `RawObject`, is parsed for a reader of values. */
export const withParsedResult = (message: JsonObject): JsonObject => {
  const { result } = message;
  return result instanceof RawObject
    ? { ...message, result: parseMessageJson(result.text) }
    : message;
};

export interface MessageSink {
  /** A message: any JSON value, parsed except for the result of an answer, which is a `RawObject`. */
  onMessage(value: unknown): void;
  /** A text that is not JSON, or must be parsed and is too much for that. */
  onUnreadable(reason: SyntaxError, text: Uint8Array): void;
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
  runAfterMessages(act: () => void): void {
    this.#take(act);
  }

  #take(next: Uint8Array | (() => void)): void {
    if (this.#isScanning) this.#waiting.push(next);
    else if (typeof next === 'function') next();
    else this.#read(next);
  }

  #read(bytes: Uint8Array): void {
    const scan = createScan(bytes);
    if (bytes.length <= MAX_SYNC_SCAN_BYTES) {
      scan.advance();
      this.#deliver(scan, bytes);
      return;
    }
    this.#isScanning = true;
    void scanInSlices(scan).then(() => {
      this.#isScanning = false;
      this.#deliver(scan, bytes);
      this.#continue();
    });
  }

  #continue(): void {
    const waiting = this.#waiting.splice(0);
    for (const next of waiting) this.#take(next);
  }

  #deliver(scan: JsonScan, bytes: Uint8Array): void {
    let value: unknown;
    try {
      value = resolveMessage(scan, bytes);
    } catch (error) {
      this.#sink.onUnreadable(
        error instanceof SyntaxError ? error : new SyntaxError(String(error)),
        bytes,
      );
      return;
    }
    this.#sink.onMessage(value);
  }
}

const NUMBER_TEXT = /^\d{1,16}$/;

/** Returns the id of an answer. Some servers echo a number as a text. */
export const parseAnswerId = (id: unknown): unknown =>
  typeof id === 'string' && NUMBER_TEXT.test(id) ? Number(id) : id;

/** The first or the last members of a message, as servers write them. */
const FIRST_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,16})"?\s*,/u;
const LAST_ID = /,\s*"id"\s*:\s*"?(\d{1,16})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;
/** Where the id of an unreadable answer is searched, in bytes from each end. */
const ID_BYTES = 128;

/** Returns the id of an answer that is not JSON, such as one with a number `NaN`, if it stands at the beginning or the end. */
export const findUnreadableId = (text: Uint8Array): number | undefined => {
  const digits =
    FIRST_ID.exec(decodeText(text, 0, Math.min(ID_BYTES, text.length)))?.[1] ??
    LAST_ID.exec(decodeText(text, Math.max(0, text.length - ID_BYTES), text.length))?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Returns the problem of an answer. The reason of the reader is about `it`. */
export const formatUnreadable = ({ message }: SyntaxError): string =>
  message.replace(/^it /u, 'the answer ');

/** Returns whether a value is a JSON-RPC message, with or without its version. */
export const isMessage = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  (typeof value['method'] === 'string' ||
    Object.hasOwn(value, 'result') ||
    Object.hasOwn(value, 'error'));

const withoutNulls = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** Returns the capabilities without members of a wrong type. `true` declares a capability without options. */
const readCapabilities = (value: unknown): JsonObject => {
  if (!isJsonObject(value)) return {};
  const declared = Object.entries(value).map(([name, options]) => [
    name,
    options === true ? {} : options,
  ]);
  return Object.fromEntries(
    declared
      .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
      .map(([name, options]) => [
        name,
        Object.fromEntries(
          Object.entries(options).filter(
            ([, option]) => typeof option === 'boolean' || isJsonObject(option),
          ),
        ),
      ]),
  );
};

/** Returns the name and the version of a server; other members are for display and may be malformed. */
const readServerInfo = (value: unknown): JsonObject => {
  const { name, version } = isJsonObject(value) ? value : {};
  return {
    name: typeof name === 'string' ? name : 'unknown',
    version: typeof version === 'string' || typeof version === 'number' ? String(version) : '',
  };
};

/** The revision of a server that names none, as for HTTP requests without a version. MCP 2025-11-25, Streamable HTTP. */
const UNNAMED_REVISION = '2025-03-26';

const readInitialized = (result: JsonObject): JsonObject => {
  const { protocolVersion, instructions } = result;
  return {
    protocolVersion: protocolVersion ?? UNNAMED_REVISION,
    capabilities: readCapabilities(result['capabilities']),
    serverInfo: readServerInfo(result['serverInfo']),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
};

const readDiscovered = (result: JsonObject): JsonObject => ({
  ...withoutNulls(result),
  ...(isJsonObject(result['capabilities'])
    ? { capabilities: readCapabilities(result['capabilities']) }
    : {}),
});

/** Returns the result of a handshake as the SDK's client reads it: what is missing or `null` has its default. */
const readResult = (result: JsonObject, method: string): JsonObject => {
  if (method === 'initialize') return readInitialized(result);
  return method === 'server/discover' ? readDiscovered(result) : withoutNulls(result);
};

const readError = (error: unknown): JsonObject => {
  const { code, message, data } = isJsonObject(error) ? error : { code: undefined, message: error };
  return {
    code: Number.isSafeInteger(code) ? code : RPC_CODE.internal,
    message: typeof message === 'string' ? message : 'the error has no "message"',
    ...(data === undefined ? {} : { data }),
  };
};

/** Returns what is wrong with the result of a request of the SDK's client; `undefined` when it can be read. */
const validateResult = (result: unknown, method: string): string | undefined => {
  if (result === undefined) return `${method} was answered without "result" and without "error"`;
  if (!isJsonObject(result)) return `${method} was answered with a "result" that is not an object`;
  const { protocolVersion } = withoutNulls(result);
  return method === 'initialize' && !['string', 'undefined'].includes(typeof protocolVersion)
    ? `${method} was answered with a "protocolVersion" that is not a text`
    : undefined;
};

/** Returns a message as the SDK's client accepts it: servers omit the version, or write `null` for an absent member. `method` is that of the answered request. */
export const toSdkMessage = (message: JsonObject, method = ''): JsonObject => {
  const { id, error, result } = message;
  if (typeof message['method'] === 'string') {
    const { id: _id, params, ...rest } = message;
    return {
      ...rest,
      jsonrpc: '2.0',
      ...(id === null || id === undefined ? {} : { id }),
      ...(isJsonObject(params) ? { params: withoutNulls(params) } : {}),
    };
  }
  const answer = { jsonrpc: '2.0', id: parseAnswerId(id) };
  if (error !== undefined && error !== null) return { ...answer, error: readError(error) };
  const problem = validateResult(result, method);
  return problem === undefined
    ? { ...answer, result: readResult(result as JsonObject, method) }
    : { ...answer, error: { code: RPC_CODE.internal, message: problem } };
};
