import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type CallContext,
  type CallOutcome,
  type CallResult,
  type JsonObject,
  toList,
  toObject,
} from '@gateway/call-contract';
import { decodeText, readMember } from '@gateway/mcp-wire';
import type { GatewayConfig } from '@gateway/gateway-config';
import { KEPT_RESULTS_URI, type KeptResultPart } from '@gateway/meta-tools';
import { type StateKey, type StateStore, StateStoreError } from '@gateway/state-store';
import { findInJsonText } from '@gateway/workflow-engine';
import { type LiveServers, memoizeLatest } from '../live-catalog.ts';
import {
  type TruncatedResult,
  decodeString,
  isString,
  truncateResult,
  findPage,
  MAX_CHARACTER_BYTES,
  mayExceed,
} from './truncate-result.ts';

/** Bytes of text that a cut result has. */
const SHOWN_BYTES = 8 * 1024;

/** Bytes of text that a read returns unless it asks for another number, and at most. */
const PAGE_BYTES = 32 * 1024;
const MAX_PAGE_BYTES = 256 * 1024;

const KEPT_MINUTES = 10;
const KEPT_MS = KEPT_MINUTES * 60_000;

/** The bytes of an entry of the store, one in each turn of the event loop: a store in memory answers at once. Each is a character, because a reader needs those of a page only, wherever characters end. */
const CHUNK_BYTES = 256 * 1024;

interface Bounds {
  readonly results: number;
  readonly bytes: number;
}

/** The bounds of the results that this process keeps, for a user and in all: the oldest ones make way for a new one. */
const USER_BOUNDS: Bounds = { results: 100, bytes: 32 * 1024 * 1024 };
const TOTAL_BOUNDS: Bounds = { results: 1_000, bytes: 64 * 1024 * 1024 };

/** A result that this process keeps. */
interface KeptResult {
  readonly user: string;
  readonly client: string;
  readonly bytes: number;
  readonly expiresAt: number;
  readonly keys: readonly StateKey[];
}

/** The texts of a result: as agents read it, and structured content that differs from it. */
type PartName = 'text' | 'structured';

/** The entry of the store under the id of a result. */
interface KeptFacts {
  readonly text: number;
  /** The part that is JSON, and its size. */
  readonly json?: readonly [part: PartName, bytes: number] | undefined;
}

/** Bytes of a text, from one of them on. */
interface Window {
  readonly bytes: Uint8Array;
  readonly from: number;
}

/** The text that a read asks for, or the part of it that has the page; or why there is none. */
type Found =
  | {
      readonly ok: true;
      readonly window: Window;
      /** The bytes of the whole text. */
      readonly size: number;
      readonly isJson: boolean;
    }
  | { readonly ok: false; readonly text: string };

interface Page {
  readonly offset: number;
  readonly limit: number;
}

const createContent = (
  uri: string,
  { window, size, isJson }: Extract<Found, { readonly ok: true }>,
  { offset, limit }: Page,
): JsonObject => {
  const { from, to } = findPage(window.bytes, offset - window.from, limit);
  const next = window.from + to;
  return {
    uri,
    mimeType: isJson ? 'application/json' : 'text/plain',
    text: decodeText(window.bytes, from, to),
    bytes: size,
    offset: window.from + from,
    ...(next < size && { next_offset: next }),
  };
};

type Kept = { readonly uri: string } | { readonly problem: string };

const createOwnerKey = ({ principal, caller }: CallContext, id: string): StateKey => [
  'kept-result',
  principal.key,
  caller?.client ?? '',
  id,
];

const createUserGroup = (user: string): StateKey => ['kept-results', user];

const createChunkKey = (key: StateKey, part: PartName, index: number): StateKey => [
  ...key,
  part,
  String(index),
];

/** Returns the entries of the store for a result: what it has, and its texts in chunks. */
const listEntries = (
  key: StateKey,
  { text, json }: TruncatedResult,
): readonly (readonly [StateKey, Uint8Array])[] => {
  const structured = json === text ? undefined : json;
  const facts: KeptFacts = {
    text: text.length,
    json: json && [structured === undefined ? 'text' : 'structured', json.length],
  };
  const listChunks = (part: PartName, bytes: Uint8Array) =>
    Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) => {
      const chunk = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      return [createChunkKey(key, part, index), chunk] as const;
    });
  return [
    [key, Buffer.from(JSON.stringify(facts))],
    ...listChunks('text', text),
    ...(structured === undefined ? [] : listChunks('structured', structured)),
  ];
};

const formatNotice = ({ text, shownBytes, json, shape }: TruncatedResult, kept: Kept): string => {
  const isWhole = shownBytes === text.length;
  const lines = [
    isWhole
      ? `The structured content of ${json?.length ?? 0} bytes is left out.`
      : `These are the first ${shownBytes} of ${text.length} bytes.`,
  ];
  if ('problem' in kept) lines.push(`The rest could not be kept: ${kept.problem}`);
  else {
    const { uri } = kept;
    const args = [
      ...(isWhole ? [] : [{ uri, offset: shownBytes }]),
      ...(json === undefined ? [] : [{ uri, path: '$' }]),
    ];
    const reads = args.map((part) => JSON.stringify(part)).join(' or ');
    lines.push(`Read the rest within ${KEPT_MINUTES} minutes: get_resource ${reads}`);
  }
  if (shape !== undefined) lines.push(`Shape: ${shape}`);
  return lines.join('\n');
};

interface KeptResultsOptions {
  /** The prefix of the `_meta` key that says that a result was cut. */
  readonly apiGroup: string;
  readonly store: StateStore;
  /** Returns the most bytes of text of a result of a server, or of a workflow; 0: any number. */
  readonly findMaxBytes: (server: string | undefined) => number;
  readonly now?: () => number;
}

/** Returns a function that returns the limit of a server, or the one of all servers and of workflows. */
export const findResultLimit = (
  { views }: Pick<LiveServers, 'views'>,
  { servers }: Pick<GatewayConfig, 'servers'>,
): KeptResultsOptions['findMaxBytes'] => {
  const limits = memoizeLatest(
    views,
    (all) => new Map(all.map(({ name, definition: { spec } }) => [name, spec.maxResultBytes])),
  );
  return (server) =>
    (server === undefined ? undefined : limits().get(server)) ?? servers.maxResultBytes;
};

/**
 * Cuts results that have too much text, and keeps them for a while in the state store, from which every replica reads them: for the same user and
 * client only.
 */
export class KeptResults {
  readonly #options: Required<KeptResultsOptions>;
  /** By id, the oldest first. */
  readonly #results = new Map<string, KeptResult>();

  constructor(options: KeptResultsOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /** Returns a result that is within its limit, or an error, unchanged and at once; of any other the first part. */
  readonly limit = (
    result: CallResult,
    server: string | undefined,
    context: CallContext,
  ): CallResult | Promise<CallResult> => {
    const maxBytes = this.#options.findMaxBytes(server);
    if (maxBytes === 0 || !mayExceed(result, maxBytes)) return result;
    return readMember(result, 'isError') === true
      ? result
      : this.#truncate(result, maxBytes, context);
  };

  /** Reads a part of a result that was kept for the caller. Returns `undefined` when there is none. */
  readonly read = async (
    { uri, offset = 0, limit = PAGE_BYTES, path }: KeptResultPart,
    context: CallContext,
  ): Promise<CallOutcome | undefined> => {
    const key = createOwnerKey(context, uri.slice(KEPT_RESULTS_URI.length));
    const page = { offset, limit: Math.min(limit, MAX_PAGE_BYTES) };
    try {
      const stored = await this.#options.store.get(key);
      if (stored === undefined) return undefined;
      const facts = JSON.parse(stored) as KeptFacts;
      const found = await (path === undefined
        ? this.#findText(key, facts, page)
        : this.#findJson(key, facts, path));
      if (found?.ok !== true) return found;
      return { ok: true, result: { contents: [createContent(uri, found, page)] } };
    } catch (error) {
      if (!(error instanceof StateStoreError)) throw error;
      return { ok: false, text: error.message };
    }
  };

  /** Drops the results of a client: its session has ended. */
  endClient(client: string): void {
    for (const [id, entry] of this.#results) if (entry.client === client) this.#drop(id, entry);
  }

  /** Drops the results of a user, in every replica: the user has signed out. */
  endUser(user: string): void {
    for (const [id, entry] of this.#results) if (entry.user === user) this.#results.delete(id);
    // What remains ends by itself.
    this.#options.store.deleteGroup(createUserGroup(user)).catch(() => undefined);
  }

  async #truncate(result: CallResult, maxBytes: number, context: CallContext): Promise<CallResult> {
    const cut = await truncateResult(result, { maxBytes, shownBytes: SHOWN_BYTES });
    if (cut === undefined) return result;
    const { text, shownBytes } = cut;
    const kept = await this.#keep(cut, context);
    const facts = {
      bytes: text.length,
      ...(shownBytes < text.length && { next_offset: shownBytes }),
      ...kept,
    };
    const link = 'uri' in kept && context.caller?.takesResourceLinks === true;
    return {
      ...cut.result,
      content: [
        ...toList(cut.result['content']),
        { type: 'text', text: formatNotice(cut, kept) },
        ...(link ? [{ type: 'resource_link', uri: kept.uri, name: 'result' }] : []),
      ],
      _meta: { ...toObject(cut.result['_meta']), [`${this.#options.apiGroup}/result`]: facts },
    };
  }

  async #keep(truncated: TruncatedResult, context: CallContext): Promise<Kept> {
    const id = randomBytes(16).toString('base64url');
    const entries = listEntries(createOwnerKey(context, id), truncated);
    const bytes = entries.reduce((sum, [, { length }]) => sum + length, 0);
    if (bytes > USER_BOUNDS.bytes)
      return { problem: `it is larger than ${USER_BOUNDS.bytes} bytes.` };
    const user = context.principal.key;
    this.#makeSpace(user, bytes);
    const kept: KeptResult = {
      user,
      client: context.caller?.client ?? '',
      bytes,
      expiresAt: this.#options.now() + KEPT_MS,
      keys: entries.map(([key]) => key),
    };
    this.#results.set(id, kept);
    const options = { ttlMs: KEPT_MS, group: createUserGroup(user) };
    try {
      for (const [key, value] of entries) {
        if (!this.#results.has(id)) return { problem: 'newer results took its place.' };
        await this.#options.store.set(key, Buffer.from(value).toString('latin1'), options);
        await setImmediate();
      }
      return { uri: `${KEPT_RESULTS_URI}${id}` };
    } catch (error) {
      this.#drop(id, kept);
      if (!(error instanceof StateStoreError)) throw error;
      return { problem: error.message };
    }
  }

  #makeSpace(user: string, bytes: number): void {
    const now = this.#options.now();
    for (const [id, { expiresAt }] of this.#results) if (expiresAt <= now) this.#results.delete(id);
    const all = [...this.#results];
    this.#evict(
      all.filter(([, entry]) => entry.user === user),
      bytes,
      USER_BOUNDS,
    );
    this.#evict([...this.#results], bytes, TOTAL_BOUNDS);
  }

  /** Drops the oldest ones of some results until one more is within the bounds. */
  #evict(some: readonly (readonly [string, KeptResult])[], added: number, bounds: Bounds): void {
    let results = some.length + 1;
    let bytes = some.reduce((sum, [, entry]) => sum + entry.bytes, added);
    for (const [id, entry] of some) {
      if (results <= bounds.results && bytes <= bounds.bytes) return;
      this.#drop(id, entry);
      results -= 1;
      bytes -= entry.bytes;
    }
  }

  #drop(id: string, { keys }: KeptResult): void {
    this.#results.delete(id);
    void Promise.allSettled(keys.map((key) => this.#options.store.delete(key)));
  }

  async #findText(
    key: StateKey,
    { text: size, json }: KeptFacts,
    { offset, limit }: Page,
  ): Promise<Found | undefined> {
    const from = Math.max(0, Math.min(offset, size) - MAX_CHARACTER_BYTES);
    const to = Math.min(size, offset + limit + MAX_CHARACTER_BYTES);
    const window = await this.#load(key, 'text', { from, to });
    return window && { ok: true, window, size, isJson: json?.[0] === 'text' };
  }

  /** Finds the JSON at a path; a text without its quotes. */
  async #findJson(
    key: StateKey,
    { json: place }: KeptFacts,
    path: string,
  ): Promise<Found | undefined> {
    if (place === undefined)
      return { ok: false, text: 'the result is not JSON: read it by offset and limit' };
    const [part, size] = place;
    const json = await this.#load(key, part, { from: 0, to: size });
    if (json === undefined) return undefined;
    const found = await findInJsonText(path, json.bytes);
    if (found.kind === 'refused') return { ok: false, text: found.text };
    if (found.kind === 'missing')
      return { ok: false, text: `the result has nothing at path ${JSON.stringify(path)}` };
    const isText = isString(found.json, 0);
    const bytes = isText
      ? await decodeString(found.json, { from: 0, to: found.json.length })
      : found.json;
    return { ok: true, window: { bytes, from: 0 }, isJson: !isText, size: bytes.length };
  }

  /** Loads the entries with some bytes of a part; `undefined` when one of them is gone. */
  async #load(
    key: StateKey,
    part: PartName,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<Window | undefined> {
    const first = Math.floor(from / CHUNK_BYTES);
    const end = Math.ceil(to / CHUNK_BYTES);
    const bytes = Buffer.allocUnsafe((end - first) * CHUNK_BYTES);
    let written = 0;
    for (let index = first; index < end; index += 1) {
      const chunk = await this.#options.store.get(createChunkKey(key, part, index));
      if (chunk === undefined) return undefined;
      written += bytes.write(chunk, written, 'latin1');
      await setImmediate();
    }
    return { bytes: bytes.subarray(0, written), from: first * CHUNK_BYTES };
  }
}
