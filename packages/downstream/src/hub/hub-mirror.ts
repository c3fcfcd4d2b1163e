import type { ContestedNames, ServerInventory } from '@gateway/catalog';
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

/** Creates a copy that is empty until the first state is applied. */
export const createHubMirror = (): HubMirror => {
  let views: ReadonlyMap<string, ServerView> = new Map();
  let viewList: readonly ServerView[] = [];
  let inventories: ReadonlyMap<string, ServerInventory> = new Map();
  let inventoryList: readonly ServerInventory[] = [];
  let contested: ContestedNames = { tools: [], prompts: [] };
  let personal: ReadonlyMap<string, ServerFeatures | undefined> = new Map();
  let version = 0;
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    apply({ servers, changedViews, connected, changedInventories, ...state }) {
      views = updated(views, servers, changedViews);
      viewList = [...views.values()];
      const next = updated(inventories, connected, changedInventories);
      if (changedInventories.length > 0 || next.size !== inventories.size) {
        inventories = next;
        inventoryList = [...next.values()];
      }
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
    contestedNames: () => contested,
    personal: () => personal,
    version: () => version,
    settled: () => settled,
  };
};
