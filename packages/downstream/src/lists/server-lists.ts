import { RPC_CODE } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import { isDeepStrictEqual } from 'node:util';
import {
  parsePromptEntry,
  parseResourceEntry,
  parseTemplateEntry,
  parseToolEntry,
} from './list-entry.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import type { OutgoingRequest } from '../requests/outgoing-requests.ts';
import { headerAnnotationProblem } from '../wire/http/header-annotation-problem.ts';
import type { ListMethod, ListProblem } from './list-problems.ts';
import { readList } from './read-list.ts';
import type { ListKind, ListOutcome, ListSource } from './read-list.ts';

/** The lists of a server. */
export type ServerLists = Pick<
  ServerInventory,
  'tools' | 'resources' | 'resourceTemplates' | 'prompts'
>;

/** The lists of a connection that reads none. */
export const NO_LISTS: ServerLists = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

/** The capabilities that decide which lists are read. */
export interface ListCapabilities {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly prompts: boolean;
}

/** The dependencies of reading the lists of a connection. */
export interface ListReaderOptions extends Omit<ListSource, 'ask'> {
  readonly capabilities: ListCapabilities;
  readonly request: (request: OutgoingRequest) => Promise<RequestOutcome>;
  /** Arguments are mirrored into HTTP headers, so tools with invalid header annotations are omitted. */
  readonly mirrorsArguments: boolean;
  /** Returns a reason as one line without secrets. */
  readonly shown: (reason: string) => string;
  /** Called when something else is missing from a list than before. */
  readonly onProblem: (problem: ListProblem) => void;
}

/** The lists that could be read, and why others could not. */
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
    const problem = headerAnnotationProblem(parsed.item.inputSchema);
    return problem === undefined ? parsed : { ok: false, reason: `its ${problem}` };
  },
};

/** In the order of their importance. */
const LIST_NAMES = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** Time for the other lists after the tools are read, in milliseconds. A list that takes longer is read again later. */
const FURTHER_MS = 2_000;

/** Reads the lists that the server of one connection declares, and remembers what is missing from them. */
export class ServerListReader {
  readonly #options: ListReaderOptions;
  readonly #problems = new Map<ListMethod, ListProblem>();
  /** The lists of which entries were returned. */
  readonly #returned = new Set<ListName>();

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /** The gaps of the last readings: one problem per list, none for a complete list. */
  get problems(): readonly ListProblem[] {
    return [...this.#problems.values()];
  }

  /** Returns whether a list could not be read. */
  get isIncomplete(): boolean {
    return this.problems.some(({ unread }) => unread !== undefined);
  }

  /**
   * Reads the lists in parallel. A list that fails does not affect the others. When the tools are read, the other lists have 2 s more.
   *
   * @param timeoutMs upper bound of the whole reading
   * @param which the lists to read: all that the server declares, or only those that could not be read before
   */
  async read(timeoutMs: number, which: 'all' | 'unread' = 'all'): Promise<ListReading> {
    const wanted = this.#wanted(which);
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
    return this.#reading(outcomes);
  }

  #wanted(which: 'all' | 'unread'): readonly ListName[] {
    const { tools, resources, prompts } = this.#options.capabilities;
    const declared: Readonly<Record<ListName, boolean>> = {
      tools,
      resources,
      resourceTemplates: resources,
      prompts,
    };
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

  #reading(outcomes: readonly (readonly [ListName, AnyOutcome])[]): ListReading {
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
    const problem = toProblem(list, outcome, this.#options.shown);
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
