import {
  encodeHeader,
  EVENT_STREAM_TYPE,
  LAST_EVENT_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  NAME_PARAMETERS,
  REVISION_HEADER,
  SESSION_HEADER,
} from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client';

/** Header names that belong to HTTP or the protocol, in lower case. Definitions and arguments must not set them. */
export const RESERVED_HEADER_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  LAST_EVENT_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  REVISION_HEADER,
  SESSION_HEADER,
  'transfer-encoding',
  'upgrade',
]);

/** Header names and values in turn. */
export type HeaderList = readonly string[];

/** Names that arguments of a call must not set: the reserved ones, and credentials. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...RESERVED_HEADER_NAMES,
  'authorization',
  'dpop',
]);
/** Default headers. Compression is off, because on short distances it costs more than it saves. */
const USUAL: Readonly<Record<string, string>> = {
  'accept-encoding': 'identity',
  'user-agent': 'gateway',
};
const MESSAGE_TYPES = `application/json, ${EVENT_STREAM_TYPE}`;

/** Returns the protocol version in the envelope of a 2026-07-28 message. */
export const readEnvelopeVersion = (params: JsonObject | undefined): string | undefined => {
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  const version = (meta as JsonObject)[PROTOCOL_VERSION_META_KEY];
  return typeof version === 'string' ? version : undefined;
};

const described = (method: string, params: JsonObject | undefined): HeaderList => {
  const name = params?.[NAME_PARAMETERS.get(method) ?? ''];
  const named = typeof name === 'string' ? [NAME_HEADER, encodeHeader(name)] : [];
  return [METHOD_HEADER, method, ...named];
};

type Authorize = () => string | undefined;

const givenLines = (
  given: Readonly<Record<string, string>>,
  authorize: Authorize | undefined,
): readonly (readonly [name: string, value: string])[] =>
  Object.entries(given)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => authorize === undefined || name !== 'authorization');

export class HttpHeaders {
  sessionId: string | undefined;
  /** The negotiated revision; a message of 2026-07-28 has its own. */
  version: string | undefined;
  readonly #given: HeaderList;
  readonly #authorize: Authorize | undefined;
  readonly #accept: string;
  readonly #streamAccept: string;

  /** `authorize` replaces the `Authorization` header of the definition. */
  constructor(given: Readonly<Record<string, string>>, authorize?: Authorize) {
    this.#authorize = authorize;
    const lines = givenLines(given, authorize);
    const usual = Object.entries(USUAL).filter(([name]) => !lines.some(([one]) => one === name));
    const accept = lines.flatMap(([name, value]) => (name === 'accept' ? [value] : []));
    this.#accept = [...accept, MESSAGE_TYPES].join(', ');
    this.#streamAccept = [...accept, EVENT_STREAM_TYPE].join(', ');
    this.#given = [...usual, ...lines.filter(([name]) => !RESERVED_HEADER_NAMES.has(name))].flat();
  }

  isOtherSession(head: { header(name: string): string | undefined }): boolean {
    const named = head.header(SESSION_HEADER);
    return this.sessionId !== undefined && named !== undefined && named !== this.sessionId;
  }

  /** Returns the headers of a POST. A message with a protocol version in its envelope has additional headers. */
  message(
    method: string | undefined,
    params: JsonObject | undefined,
    extra: Readonly<Record<string, string>> = {},
  ): HeaderList {
    const isHandshake = method === 'initialize';
    const version = isHandshake ? undefined : readEnvelopeVersion(params);
    // Servers of 2026-07-28 alone expect the method in a header, also of a request that they refuse.
    const isDescribed = isHandshake || version !== undefined;
    return this.#authorized([
      'content-type',
      'application/json',
      'accept',
      this.#accept,
      ...(isHandshake ? [] : this.#agreed(version ?? this.version)),
      ...this.#given,
      ...(isDescribed && method !== undefined ? described(method, params) : []),
      ...Object.entries(extra)
        .filter(([name]) => !RESERVED_NAMES.has(name.toLowerCase()))
        .flat(),
    ]);
  }

  stream(lastEventId: string | undefined): HeaderList {
    const list = ['accept', this.#streamAccept, ...this.bare()];
    return lastEventId === undefined ? list : [...list, LAST_EVENT_HEADER, lastEventId];
  }

  bare(): HeaderList {
    return this.#authorized([...this.#agreed(this.version), ...this.#given]);
  }

  #authorized(list: HeaderList): HeaderList {
    const value = this.#authorize?.();
    return value === undefined ? list : [...list, 'authorization', value];
  }

  #agreed(version: string | undefined): HeaderList {
    const { sessionId } = this;
    return [
      ...(sessionId === undefined ? [] : [SESSION_HEADER, sessionId]),
      ...(version === undefined ? [] : [REVISION_HEADER, version]),
    ];
  }
}
