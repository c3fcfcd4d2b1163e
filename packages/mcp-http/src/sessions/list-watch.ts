import type { ListMethod, WatchedList } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import type { McpService, RequestContext } from '../protocol/mcp-service.ts';

const METHODS: Readonly<Record<WatchedList, readonly ListMethod[]>> = {
  tools: ['tools/list'],
  resources: ['resources/list', 'resources/templates/list'],
  prompts: ['prompts/list'],
};

/** A client that is notified when one of its lists differs from the list that it had. */
interface ListWatcher {
  /** The request that the lists are shown to. */
  readonly context: RequestContext;
  readonly kinds: readonly WatchedList[];
  readonly onChanged: (kind: WatchedList) => void;
}

interface Seen {
  readonly items: Map<ListMethod, readonly JsonObject[] | undefined>;
  reachableTools: string | undefined;
}

/** The callers whose lists of one kind may have changed. */
type Affected = 'all' | ReadonlySet<string>;

/**
 * Notifies watchers when their own lists change. A change of the service that leaves a watcher's list unchanged is not announced
 * to it.
 */
export class ListWatch {
  readonly #service: McpService;
  readonly #onError: (error: unknown) => void;
  readonly #watchers = new Map<ListWatcher, Seen>();
  /** JSON of arrays that were compared, written once for all watchers. */
  readonly #texts = new WeakMap<readonly JsonObject[], string>();
  readonly #dirty = new Map<WatchedList, Affected>();
  #stop: (() => void) | undefined;

  constructor(service: McpService, onError: (error: unknown) => void) {
    this.#service = service;
    this.#onError = onError;
  }

  /** The kinds of lists whose changes the service announces now. */
  get kinds(): readonly WatchedList[] {
    const { capabilities } = this.#service;
    return (['tools', 'resources', 'prompts'] as const).filter(
      (kind) => capabilities[kind]?.listChanged === true,
    );
  }

  /** Follows the lists of a watcher until the returned function is called. */
  add(watcher: ListWatcher): () => void {
    if (watcher.kinds.length === 0) return () => undefined;
    const { context, kinds } = watcher;
    const methods = kinds.flatMap((kind) => METHODS[kind]);
    const items = new Map(methods.map((method) => [method, this.#items(method, context)]));
    this.#watchers.set(watcher, { items, reachableTools: this.#reachableTools(context) });
    this.#stop ??= this.#service.onListChanged?.((kind, keys) => this.#note(kind, keys ?? 'all'));
    return () => this.#remove(watcher);
  }

  #remove(watcher: ListWatcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Compares the lists once per burst of changes. */
  #note(kind: WatchedList, affected: Affected): void {
    if (this.#dirty.size === 0) setImmediate(() => this.#compareAll());
    const others = this.#dirty.get(kind) ?? new Set();
    const isForAll = affected === 'all' || others === 'all';
    this.#dirty.set(kind, isForAll ? 'all' : new Set([...others, ...affected]));
  }

  #compareAll(): void {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const [watcher, seen] of [...this.#watchers]) {
      const { context, kinds } = watcher;
      for (const [kind, affected] of dirty) {
        const isAffected = affected === 'all' || affected.has(context.principal.key);
        if (isAffected && kinds.includes(kind) && this.#hasChanged(kind, context, seen)) {
          watcher.onChanged(kind);
        }
      }
    }
  }

  #hasChanged(kind: WatchedList, context: RequestContext, seen: Seen): boolean {
    let hasChanged = kind === 'tools' && this.#reachesOthers(context, seen);
    for (const method of METHODS[kind]) {
      const before = seen.items.get(method);
      const now = this.#items(method, context);
      seen.items.set(method, now);
      if (before !== now && this.#text(before) !== this.#text(now)) hasChanged = true;
    }
    return hasChanged;
  }

  #reachesOthers(context: RequestContext, seen: Seen): boolean {
    const before = seen.reachableTools;
    seen.reachableTools = this.#reachableTools(context);
    return before !== seen.reachableTools;
  }

  #reachableTools(context: RequestContext): string | undefined {
    return this.#attempt(() => this.#service.reachableTools?.(context));
  }

  #items(method: ListMethod, context: RequestContext): readonly JsonObject[] | undefined {
    return this.#attempt(() => {
      const answer = this.#service.list(method, context);
      return answer.ok ? answer.items : undefined;
    });
  }

  #attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  #text(items: readonly JsonObject[] | undefined): string {
    if (items === undefined) return '';
    const kept = this.#texts.get(items);
    if (kept !== undefined) return kept;
    const text = JSON.stringify(items);
    this.#texts.set(items, text);
    return text;
  }
}
