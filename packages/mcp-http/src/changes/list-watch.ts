import type { JsonObject } from '@gateway/call-contract';
import type { ListMethod, McpService, RequestContext } from '../protocol/mcp-service.ts';

/** Lists whose changes are announced together. */
export type ListKind = 'tools' | 'resources' | 'prompts';

const METHODS: Readonly<Record<ListKind, readonly ListMethod[]>> = {
  tools: ['tools/list'],
  resources: ['resources/list', 'resources/templates/list'],
  prompts: ['prompts/list'],
};

/** The notification of a changed list, by kind. */
export const LIST_CHANGED: Readonly<Record<ListKind, string>> = {
  tools: 'notifications/tools/list_changed',
  resources: 'notifications/resources/list_changed',
  prompts: 'notifications/prompts/list_changed',
};

/** Returns the kinds of lists whose changes a service announces. */
export const watchableLists = ({ capabilities }: McpService): readonly ListKind[] =>
  (['tools', 'resources', 'prompts'] as const).filter(
    (kind) => capabilities[kind]?.listChanged === true,
  );

/** A client that is notified when one of its lists differs from the list that it had. */
export interface ListWatcher {
  /** The request that the lists are shown to. */
  readonly context: RequestContext;
  readonly kinds: readonly ListKind[];
  readonly onChanged: (kind: ListKind) => void;
}

type Seen = Map<ListMethod, readonly JsonObject[] | undefined>;

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
  readonly #dirty = new Set<ListKind>();
  #stop: (() => void) | undefined;

  constructor(service: McpService, onError: (error: unknown) => void) {
    this.#service = service;
    this.#onError = onError;
  }

  /** Follows the lists of a watcher until the returned function is called. */
  add(watcher: ListWatcher): () => void {
    if (watcher.kinds.length === 0) return () => undefined;
    const seen: Seen = new Map();
    for (const kind of watcher.kinds) {
      for (const method of METHODS[kind]) seen.set(method, this.#items(method, watcher.context));
    }
    this.#watchers.set(watcher, seen);
    this.#stop ??= this.#service.onListChanged?.((kind) => this.#note(kind));
    return () => this.#remove(watcher);
  }

  #remove(watcher: ListWatcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Compares the lists once per burst of changes. */
  #note(kind: ListKind): void {
    if (this.#dirty.size === 0) setImmediate(() => this.#compareAll());
    this.#dirty.add(kind);
  }

  #compareAll(): void {
    const kinds = [...this.#dirty];
    this.#dirty.clear();
    for (const [watcher, seen] of [...this.#watchers]) {
      for (const kind of kinds) {
        if (watcher.kinds.includes(kind) && this.#hasChanged(kind, watcher.context, seen)) {
          watcher.onChanged(kind);
        }
      }
    }
  }

  #hasChanged(kind: ListKind, context: RequestContext, seen: Seen): boolean {
    let hasChanged = false;
    for (const method of METHODS[kind]) {
      const before = seen.get(method);
      const now = this.#items(method, context);
      seen.set(method, now);
      if (before !== now && this.#text(before) !== this.#text(now)) hasChanged = true;
    }
    return hasChanged;
  }

  #items(method: ListMethod, context: RequestContext): readonly JsonObject[] | undefined {
    try {
      const answer = this.#service.list(method, context);
      return answer.ok ? answer.items : undefined;
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
