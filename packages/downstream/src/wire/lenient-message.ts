import { isJsonObject, RPC_CODE, type JsonObject } from '@gateway/call-contract';

const NUMBER_TEXT = /^\d{1,16}$/;

/** Returns the id of an answer. Some servers echo a number as a text. */
export const answerId = (id: unknown): unknown =>
  typeof id === 'string' && NUMBER_TEXT.test(id) ? Number(id) : id;

/** Returns whether a value is a JSON-RPC message, with or without its version. */
export const isMessage = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  (typeof value['method'] === 'string' ||
    Object.hasOwn(value, 'result') ||
    Object.hasOwn(value, 'error'));

/** Returns a record without the members that are `null`. */
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
const resultProblem = (result: unknown, method: string): string | undefined => {
  if (result === undefined) return `${method} was answered without "result" and without "error"`;
  if (!isJsonObject(result)) return `${method} was answered with a "result" that is not an object`;
  const { protocolVersion } = withoutNulls(result);
  return method === 'initialize' && !['string', 'undefined'].includes(typeof protocolVersion)
    ? `${method} was answered with a "protocolVersion" that is not a text`
    : undefined;
};

/**
 * Returns a message as the SDK's client accepts it. Servers leave out the version, write an id as a text, `"error": null` with a result, and
 * `null` for an absent member.
 *
 * @param method the method of the request that the message answers, if it is an answer
 */
export const messageForSdk = (message: JsonObject, method = ''): JsonObject => {
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
  const answer = { jsonrpc: '2.0', id: answerId(id) };
  if (error !== undefined && error !== null) return { ...answer, error: readError(error) };
  const problem = resultProblem(result, method);
  return problem === undefined
    ? { ...answer, result: readResult(result as JsonObject, method) }
    : { ...answer, error: { code: RPC_CODE.internal, message: problem } };
};
