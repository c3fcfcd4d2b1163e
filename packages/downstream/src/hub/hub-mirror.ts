import type { ServerInventory } from '@gateway/catalog';
import type { ServerView } from '../supervision/server-view.ts';
import type { StateMessage } from './hub-message.ts';

/** The hub's servers as this process knows them. */
export interface HubMirror {
  /** Takes over what changed. */
  take(message: StateMessage): void;
  view(name: string): ServerView | undefined;
  inventory(name: string): ServerInventory | undefined;
  views(): readonly ServerView[];
  /** The same array and objects while nothing of them changed. */
  inventories(): readonly ServerInventory[];
  /** Resolves when the hub's servers were tried. */
  settled(): Promise<void>;
}

const updated = <T extends { readonly name: string }>(
  known: ReadonlyMap<string, T>,
  names: readonly string[],
  changed: readonly T[],
): ReadonlyMap<string, T> => {
  const news = new Map(changed.map((entry) => [entry.name, entry]));
  return new Map(
    names.flatMap((name) => {
      const entry = news.get(name) ?? known.get(name);
      return entry === undefined ? [] : [[name, entry] as const];
    }),
  );
};

/** Knows nothing until the first state comes. */
export const createHubMirror = (): HubMirror => {
  let views: ReadonlyMap<string, ServerView> = new Map();
  let viewList: readonly ServerView[] = [];
  let inventories: ReadonlyMap<string, ServerInventory> = new Map();
  let inventoryList: readonly ServerInventory[] = [];
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    take({ servers, changedViews, connected, changedInventories, ...state }) {
      views = updated(views, servers, changedViews);
      viewList = [...views.values()];
      const next = updated(inventories, connected, changedInventories);
      if (changedInventories.length > 0 || next.size !== inventories.size) {
        inventories = next;
        inventoryList = [...next.values()];
      }
      if (state.settled) settle();
    },
    view: (name) => views.get(name),
    inventory: (name) => inventories.get(name),
    views: () => viewList,
    inventories: () => inventoryList,
    settled: () => settled,
  };
};
