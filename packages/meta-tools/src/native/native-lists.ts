import type { ListMethod } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import type { CatalogSnapshot, ToolSelection } from '@gateway/catalog';
import type { ToolsetScope } from '../contract/meta-tool.ts';
import { createNativeIndexer, type NativeIndex, type NativeItem } from './native-index.ts';

type Entries = readonly JsonObject[];
type Scope = ToolsetScope | undefined;

/** Maximum number of toolsets whose lists are cached for one snapshot. */
const MAX_SELECTIONS = 64;

/** Maximum number of entries of the cached lists of all toolsets, as a multiple of those of the whole catalog. */
const MAX_COPIES = 8;

const toEntry = ({ entry }: { readonly entry: JsonObject }): JsonObject => entry;

const listVisibleItems = <T extends { readonly server: string }>(
  items: readonly NativeItem<T>[],
  scope: Scope,
): readonly NativeItem<T>[] => {
  if (scope === undefined) return items;
  // Read for no items too: the first use of a selection computes its servers, and its time must not depend on the items.
  const { servers } = scope.selection;
  return items.filter(({ item }) => servers.has(item.server));
};

/** The first of each name: two servers may have one URI. */
const dropDuplicateNames = <T>(items: readonly NativeItem<T>[]): readonly NativeItem<T>[] => {
  const first = new Map<string, NativeItem<T>>();
  for (const item of items) if (!first.has(item.name)) first.set(item.name, item);
  return first.size === items.length ? items : [...first.values()];
};

/**
 * The content of each list for a toolset: selected tools, and the resources and prompts of selected servers.
 *
 * @spec §4.2
 */
const listed: Readonly<Record<ListMethod, (index: NativeIndex, scope: Scope) => Entries>> = {
  'tools/list': ({ tools }, scope) =>
    tools.filter(({ item }) => scope?.selection.has(item) ?? true).map(toEntry),
  'resources/list': ({ resources }, scope) =>
    dropDuplicateNames(listVisibleItems(resources, scope)).map(toEntry),
  'resources/templates/list': ({ templates }, scope) =>
    dropDuplicateNames(listVisibleItems(templates, scope)).map(toEntry),
  'prompts/list': ({ prompts }, scope) => listVisibleItems(prompts, scope).map(toEntry),
};

type Lists = Map<ListMethod, Entries>;

const hasSameEntries = (a: Entries, b: Entries): boolean =>
  a.length === b.length && a.every((entry, index) => entry === b[index]);

/** The lists of one snapshot: made when they are first asked for, the same arrays ever after. */
class SnapshotLists {
  readonly index: NativeIndex;
  readonly #whole: Lists = new Map();
  readonly #ofSelections = new Map<ToolSelection, Lists>();
  readonly #before: ReadonlyMap<ListMethod, Entries> | undefined;

  /** @param before the lists of the snapshot before, whose arrays are taken over where nothing changed */
  constructor(index: NativeIndex, before: SnapshotLists | undefined) {
    this.index = index;
    // Its map alone: the lists themselves hold on to the snapshot before them.
    this.#before = before === undefined ? undefined : before.#whole;
  }

  list(method: ListMethod, scope: Scope): Entries {
    if (scope === undefined) return this.#wholeList(method);
    const lists = this.#listsOf(scope.selection);
    const known = lists.get(method);
    if (known !== undefined) return known;
    const whole = this.#wholeList(method);
    const narrowed = listed[method](this.index, scope);
    // A list that the toolset does not restrict is not cached twice.
    const entries = hasSameEntries(narrowed, whole) ? whole : narrowed;
    lists.set(method, entries);
    this.#keepWithinBounds();
    return entries;
  }

  #wholeList(method: ListMethod): Entries {
    const known = this.#whole.get(method);
    if (known !== undefined) return known;
    const entries = listed[method](this.index, undefined);
    const before = this.#before?.get(method);
    const cached = before !== undefined && hasSameEntries(before, entries) ? before : entries;
    this.#whole.set(method, cached);
    return cached;
  }

  #listsOf(selection: ToolSelection): Lists {
    const lists = this.#ofSelections.get(selection) ?? new Map<ListMethod, Entries>();
    this.#ofSelections.delete(selection);
    this.#ofSelections.set(selection, lists);
    return lists;
  }

  #keepWithinBounds(): void {
    const { tools, resources, templates, prompts } = this.index;
    const whole = tools.length + resources.length + templates.length + prompts.length;
    const ownEntries = (lists: Lists): number =>
      [...lists]
        .filter(([method, entries]) => entries !== this.#whole.get(method))
        .reduce((sum, [, entries]) => sum + entries.length, 0);
    let cached = [...this.#ofSelections.values()].reduce(
      (sum, lists) => sum + ownEntries(lists),
      0,
    );
    for (const [selection, lists] of this.#ofSelections) {
      const isWithin = this.#ofSelections.size <= MAX_SELECTIONS && cached <= MAX_COPIES * whole;
      if (isWithin || this.#ofSelections.size === 1) return;
      this.#ofSelections.delete(selection);
      cached -= ownEntries(lists);
    }
  }
}

/** The native lists of the snapshots in use. */
export class NativeLists {
  readonly #indexOf: (snapshot: CatalogSnapshot) => NativeIndex;
  readonly #known = new WeakMap<CatalogSnapshot, SnapshotLists>();
  #latest: SnapshotLists | undefined;

  constructor(hasSignIn: boolean) {
    this.#indexOf = createNativeIndexer(hasSignIn);
  }

  /** Everything that the snapshot shows. */
  index(snapshot: CatalogSnapshot): NativeIndex {
    return this.#of(snapshot).index;
  }

  /** The same array for the same snapshot and selection. */
  list(method: ListMethod, snapshot: CatalogSnapshot, scope: Scope): Entries {
    return this.#of(snapshot).list(method, scope);
  }

  #of(snapshot: CatalogSnapshot): SnapshotLists {
    const known = this.#known.get(snapshot);
    if (known !== undefined) return known;
    const lists = new SnapshotLists(this.#indexOf(snapshot), this.#latest);
    this.#known.set(snapshot, lists);
    this.#latest = lists;
    return lists;
  }
}
