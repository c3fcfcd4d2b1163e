import { computeBackoffDelay, RPC_CODE } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import { validateHeaderAnnotations, type ListMethod } from '@gateway/mcp-wire';
import { isDeepStrictEqual } from 'node:util';
import type { OutgoingRequest } from '../requests/outgoing-requests.ts';
import type { BackoffPolicy, RelistPolicy } from '../wire/limits.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import {
  parsePromptEntry,
  parseResourceEntry,
  parseTemplateEntry,
  parseToolEntry,
} from './list-entry.ts';
import {
  type ListKind,
  type ListOutcome,
  type ListSource,
  type OmittedEntry,
  readList,
} from './read-list.ts';

export interface ListProblem {
  readonly list: ListMethod;
  /** Why the list could not be read. Its earlier entries stay, and it is read again. */
  readonly unread?: string;
  readonly cut?: string;
  readonly omitted: number;
  readonly first: readonly OmittedEntry[];
}

const MAX_IN_SENTENCE = 5;

const NOUNS: Readonly<Record<ListMethod, readonly [one: string, several: string]>> = {
  'tools/list': ['tool', 'tools'],
  'resources/list': ['resource', 'resources'],
  'resources/templates/list': ['resource template', 'resource templates'],
  'prompts/list': ['prompt', 'prompts'],
};

/** Returns the entries that a list lacks as one phrase with at most 5 names; `undefined` without any. */
export const formatOmissions = ({ list, omitted, first }: ListProblem): string | undefined => {
  if (omitted === 0) return undefined;
  const named = first.slice(0, MAX_IN_SENTENCE).map(({ entry, reason }) => `${entry} (${reason})`);
  const more = omitted > named.length ? [`and ${omitted - named.length} more`] : [];
  const [one, several] = NOUNS[list];
  const count = omitted === 1 ? `1 ${one} is` : `${omitted} ${several} are`;
  return `${count} left out: ${[...named, ...more].join(', ')}`;
};

export const formatListProblem = (problem: ListProblem): string | undefined => {
  const parts = [problem.unread, problem.cut, formatOmissions(problem)];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join('; ');
};

export const formatProblemLines = (problems: readonly ListProblem[]): readonly string[] =>
  problems.flatMap(({ list, unread, cut, omitted, first }) => {
    const [one, several] = NOUNS[list];
    const more = omitted - first.length;
    return [
      ...(unread === undefined ? [] : [unread]),
      ...(cut === undefined ? [] : [cut]),
      ...first.map(({ entry, reason }) => `${one} ${entry} is left out: ${reason}`),
      ...(more > 0 ? [`${more} more ${more === 1 ? one : several} left out`] : []),
    ];
  });

export type ServerLists = Pick<
  ServerInventory,
  'tools' | 'resources' | 'resourceTemplates' | 'prompts'
>;

export const NO_LISTS: ServerLists = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

export type ListCapabilities = Readonly<Record<'tools' | 'resources' | 'prompts', boolean>>;

export interface ListReaderOptions extends Omit<ListSource, 'ask'> {
  readonly capabilities: ListCapabilities;
  /** Bound of a reading in milliseconds. */
  readonly timeoutMs: number;
  readonly request: (request: OutgoingRequest) => Promise<RequestOutcome>;
  /** Arguments are mirrored into HTTP headers, so tools with invalid header annotations are omitted. */
  readonly mirrorsArguments: boolean;
  /** Returns a reason as one line without secrets. */
  readonly formatSafe: (reason: string) => string;
  /** Called when something else is missing from a list than before. */
  readonly onProblem: (problem: ListProblem) => void;
}

export interface ListReading {
  readonly lists: Partial<ServerLists>;
  /** Length of the complete lists in characters. */
  readonly chars: number;
  /** The failure of the first list that could not be read, of the tools before others. */
  readonly failure?: ListFailure;
}

type ListFailure = Omit<Extract<ListOutcome<never>, { readonly ok: false }>, 'items'>;
type ListName = keyof ServerLists;
type AnyOutcome = ListOutcome<ServerLists[ListName][number]>;

type Kinds = { readonly [K in keyof ServerLists]: ListKind<ServerLists[K][number]> };

const KINDS: Kinds = {
  tools: { method: 'tools/list', key: 'tools', id: 'name', parse: parseToolEntry },
  resources: {
    method: 'resources/list',
    key: 'resources',
    id: 'uri',
    label: 'name',
    parse: parseResourceEntry,
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    id: 'uriTemplate',
    label: 'name',
    parse: parseTemplateEntry,
  },
  prompts: { method: 'prompts/list', key: 'prompts', id: 'name', parse: parsePromptEntry },
};

/** MCP 2026-07-28 requires clients to omit tools with invalid header annotations. */
const MIRRORED_TOOLS: Kinds['tools'] = {
  ...KINDS.tools,
  parse(entry) {
    const parsed = parseToolEntry(entry);
    if (!parsed.ok) return parsed;
    const problem = validateHeaderAnnotations(parsed.item.inputSchema);
    return problem === undefined ? parsed : { ok: false, reason: `its ${problem}` };
  },
};

/** In the order of their importance. */
export const LIST_NAMES = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** Time for the other lists after the tools are read, in milliseconds. A list that takes longer is read again later. */
const FURTHER_MS = 2_000;

export class ServerListReader {
  readonly #options: ListReaderOptions;
  readonly #problems = new Map<ListMethod, ListProblem>();
  readonly #returned = new Set<ListName>();

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /** The gaps of the last readings: one problem per list, none for a complete list. */
  get problems(): readonly ListProblem[] {
    return [...this.#problems.values()];
  }

  get isIncomplete(): boolean {
    return this.problems.some(({ unread }) => unread !== undefined);
  }

  /** Reads the lists in parallel. A list that fails does not affect the others. When the tools are read, the other lists have 2 s more. */
  async read(
    which: 'all' | 'unread' = 'all',
    timeoutMs = this.#options.timeoutMs,
  ): Promise<ListReading> {
    const wanted = this.#listWanted(which);
    const end = new AbortController();
    const timers = [setTimeout(() => end.abort(), timeoutMs)];
    let waitsForTools = wanted.includes('tools');
    let hasList = false;
    const outcomes = await Promise.all(
      wanted.map(async (name) => {
        const outcome = await this.#readOne(name, timeoutMs, end.signal);
        if (name === 'tools') waitsForTools = false;
        hasList ||= outcome.ok;
        // A list that could not be read before may need all the time.
        if (which === 'all' && hasList && !waitsForTools)
          timers.push(setTimeout(() => end.abort(), FURTHER_MS));
        return [name, outcome] as const;
      }),
    );
    for (const timer of timers) clearTimeout(timer);
    return this.#createReading(outcomes);
  }

  #listWanted(which: 'all' | 'unread'): readonly ListName[] {
    const { capabilities } = this.#options;
    const declared = { ...capabilities, resourceTemplates: capabilities.resources };
    return LIST_NAMES.filter(
      (name) =>
        declared[name] &&
        (which === 'all' || this.#problems.get(KINDS[name].method)?.unread !== undefined),
    );
  }

  #readOne(name: ListName, timeoutMs: number, signal: AbortSignal): Promise<AnyOutcome> {
    const { request, mirrorsArguments } = this.#options;
    const kind: ListKind<ServerLists[ListName][number]> =
      name === 'tools' && mirrorsArguments ? MIRRORED_TOOLS : KINDS[name];
    const ask: ListSource['ask'] = (method, params) =>
      request({ method, params, timeoutMs, options: { signal } });
    return readList(kind, { ...this.#options, ask });
  }

  #createReading(outcomes: readonly (readonly [ListName, AnyOutcome])[]): ListReading {
    const lists: Partial<Record<ListName, readonly unknown[]>> = {};
    let failure: ListFailure | undefined;
    let chars = 0;
    for (const [name, outcome] of outcomes) {
      const { method } = KINDS[name];
      if (outcome.ok) {
        lists[name] = outcome.items;
        chars += outcome.chars;
      }
      // A declared list that the server does not serve is empty.
      else if (outcome.rpcCode === RPC_CODE.methodNotFound) lists[name] = [];
      else {
        failure ??= outcome;
        // A part is better than nothing, but not than the list that was read before.
        if (outcome.items !== undefined && !this.#returned.has(name)) lists[name] = outcome.items;
      }
      if (lists[name] !== undefined) this.#returned.add(name);
      this.#note(method, outcome);
    }
    // Each list has the entries of its own kind.
    return {
      lists: lists as Partial<ServerLists>,
      chars,
      ...(failure === undefined ? {} : { failure }),
    };
  }

  #note(list: ListMethod, outcome: AnyOutcome): void {
    const problem = toProblem(list, outcome, this.#options.formatSafe);
    const before = this.#problems.get(list);
    if (problem === undefined) this.#problems.delete(list);
    else this.#problems.set(list, problem);
    if (problem !== undefined && !isDeepStrictEqual(problem, before))
      this.#options.onProblem(problem);
  }
}

const toProblem = (
  list: ListMethod,
  outcome: AnyOutcome,
  shown: (reason: string) => string,
): ListProblem | undefined => {
  if (!outcome.ok)
    return outcome.rpcCode === RPC_CODE.methodNotFound
      ? undefined
      : { list, unread: shown(outcome.reason), omitted: 0, first: [] };
  const { omitted, cut } = outcome;
  if (omitted === 0 && cut === undefined) return undefined;
  const first = outcome.first.map(({ entry, reason }) => ({
    entry: shown(entry),
    reason: shown(reason),
  }));
  return { list, ...(cut === undefined ? {} : { cut: shown(cut) }), omitted, first };
};

export interface RelistDelays {
  readonly relist: RelistPolicy;
  /** Of the lists that could not be read. */
  readonly backoff: BackoffPolicy;
}

/** A reading of this many characters takes less than 0.1 ms, so a pause of 1 ms bounds the load of long lists. */
const CHARS_PER_MS = 4_096;
const MAX_PAUSE_MS = 30_000;

/** Reads soon after a change, as often as the policy and the length of the lists allow, and unread lists again with backoff. `take` must not reject. */
export const createRelistSchedule = (
  { relist, backoff }: RelistDelays,
  reader: Pick<ServerListReader, 'isIncomplete' | 'read'>,
  take: (reading: ListReading) => Promise<void>,
): { readonly notice: () => void; readonly stop: () => void } => {
  let timer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isNoticed = false;
  let isRetryDue = false;
  let failures = 0;
  let isStopped = false;
  const plan = (delayMs: number): void => {
    if (isStopped || isReading || timer !== undefined) return;
    timer = setTimeout(() => void run(), delayMs);
    timer.unref();
  };
  const planRetry = (): void => {
    clearTimeout(retryTimer);
    failures = reader.isIncomplete ? failures + 1 : 0;
    if (failures === 0) return;
    const due = (): void => {
      isRetryDue = true;
      plan(0);
    };
    retryTimer = setTimeout(due, computeBackoffDelay(failures - 1, backoff, Math.random()));
    retryTimer.unref();
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    const which = isNoticed ? 'all' : 'unread';
    isNoticed = false;
    isRetryDue = false;
    isReading = true;
    const reading = await reader.read(which);
    await take(reading);
    isReading = false;
    if (isStopped) return;
    planRetry();
    // The pause also runs without a notification, so that the next one waits for it.
    const sizeMs = Math.min(reading.chars / CHARS_PER_MS, MAX_PAUSE_MS);
    timer = setTimeout(afterPause, Math.max(relist.minIntervalMs, sizeMs));
    timer.unref();
  };
  const afterPause = (): void => {
    timer = undefined;
    if (isNoticed || isRetryDue) plan(0);
  };
  planRetry();
  return {
    notice() {
      isNoticed = true;
      plan(relist.debounceMs);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(retryTimer);
    },
  };
};
