import type { ContestedNames, ServerInventory } from '@gateway/catalog';
import { sameItems } from '../lists/merged-lists.ts';
import type { ServerFeatures } from '../requests/server-features.ts';
import type { ServerView } from '../supervision/server-view.ts';
import type { StateChange } from './hub-contract.ts';

/** This process's copy of the states and lists of the hub's servers. */
export interface HubMirror {
  /** Applies a change. */
  apply(change: StateChange): void;
  view(name: string): ServerView | undefined;
  inventory(name: string): ServerInventory | undefined;
  views(): readonly ServerView[];
  /** The same array and objects while nothing of them changed. */
  inventories(): readonly ServerInventory[];
  /** The last inventories of the servers that are not connected; the same array and objects while they are unchanged. */
  lastInventories(): readonly ServerInventory[];
  /** The same object while it is unchanged. */
  contestedNames(): ContestedNames;
  /** Returns the features of the servers with connections of persons, by name; `undefined` while they are unknown. */
  personal(): ReadonlyMap<string, ServerFeatures | undefined>;
  /** The number of changes so far. */
  version(): number;
  /** Resolves when every server that starts by itself was tried. */
  settled(): Promise<void>;
}

const updated = <T extends { readonly name: string }>(
  known: ReadonlyMap<string, T>,
  names: readonly string[],
  changed: readonly T[],
): ReadonlyMap<string, T> => {
  const next = new Map(changed.map((entry) => [entry.name, entry]));
  return new Map(
    names.flatMap((name) => {
      const entry = next.get(name) ?? known.get(name);
      return entry === undefined ? [] : [[name, entry] as const];
    }),
  );
};

/** Returns the list; `previous` itself when it contains the same objects. */
const unlessSame = <T>(list: readonly T[], previous: readonly T[]): readonly T[] =>
  sameItems(list, previous) ? previous : list;

/** Creates a copy that is empty until the first state is applied. */
export const createHubMirror = (): HubMirror => {
  let views: ReadonlyMap<string, ServerView> = new Map();
  let viewList: readonly ServerView[] = [];
  let inventories: ReadonlyMap<string, ServerInventory> = new Map();
  let inventoryList: readonly ServerInventory[] = [];
  let lastList: readonly ServerInventory[] = [];
  let contested: ContestedNames = { tools: [], prompts: [] };
  let personal: ReadonlyMap<string, ServerFeatures | undefined> = new Map();
  let version = 0;
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    apply({ servers, changedViews, connected, last, changedInventories, ...state }) {
      views = updated(views, servers, changedViews);
      viewList = [...views.values()];
      const known = new Map([...inventories.values(), ...lastList].map((one) => [one.name, one]));
      inventories = updated(known, connected, changedInventories);
      inventoryList = unlessSame([...inventories.values()], inventoryList);
      lastList = unlessSame([...updated(known, last, changedInventories).values()], lastList);
      contested = state.contested ?? contested;
      version = state.version;
      if (state.personal !== undefined)
        personal = new Map(state.personal.map(({ server, features }) => [server, features]));
      if (state.settled) settle();
    },
    view: (name) => views.get(name),
    inventory: (name) => inventories.get(name),
    views: () => viewList,
    inventories: () => inventoryList,
    lastInventories: () => lastList,
    contestedNames: () => contested,
    personal: () => personal,
    version: () => version,
    settled: () => settled,
  };
};
