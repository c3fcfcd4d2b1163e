import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import type { JsonPathSelector } from './json-path-selectors.ts';

/** Thrown out of a search that would take too long; caught where the search began. */
export class SearchTooLarge extends Error {}

/** Bounds of one search. */
export interface SearchLimits {
  /** How often the search may look at something. */
  readonly maxLooks: number;
  /** Levels below the root that it may go down. */
  readonly maxDepth: number;
}

/** A way to look at a document that ends after so many looks, and back from what was found to the document. */
export interface GuardedView {
  readonly root: object;
  /** What stands behind a value that the view gave. */
  behind(value: unknown): JsonValue;
}

/** Names of a view: `k<n>` is the selector of that number, `=<key>` a member, digits an item. No document can mix them up. */
const SELECTOR_NAME = /^k(\d+)$/;
const ITEM_NAME = /^\d+$/;

const itemOf = (list: readonly JsonValue[], index: number): JsonValue | undefined =>
  list[index < 0 ? list.length + index : index];

const memberOf = (map: JsonMap, key: string): JsonValue | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

type Container = readonly JsonValue[] | JsonMap;

const isList = (container: Container): container is readonly JsonValue[] =>
  Array.isArray(container);

/** Names select of objects, and indexes of lists: own members only. */
const select = (
  container: Container,
  selector: JsonPathSelector | undefined,
): JsonValue | undefined => {
  if (isList(container)) {
    return selector?.kind === 'index' ? itemOf(container, selector.index) : undefined;
  }
  return selector?.kind === 'name' ? memberOf(container, selector.name) : undefined;
};

const namesOf = (container: Container): string[] =>
  isList(container)
    ? [...Array.from(container.keys(), String), 'length']
    : Object.keys(container).map((key) => `=${key}`);

/**
 * Shows a document to a library of which it is not known how much it looks at: every look is counted, only own members are
 * there, and the names that a path asks for are numbers of its selectors, so that no key is taken for syntax.
 */
export const guardedView = (
  document: object,
  selectors: readonly JsonPathSelector[],
  limits: SearchLimits,
): GuardedView => {
  const behindViews = new WeakMap<object, JsonValue>();
  let looks = 0;
  const look = (count = 1): void => {
    looks += count;
    if (looks > limits.maxLooks) throw new SearchTooLarge();
  };

  const valueOf = (container: Container, name: string | symbol): JsonValue | undefined => {
    if (typeof name === 'symbol') return undefined;
    const selector = SELECTOR_NAME.exec(name);
    if (selector !== null) return select(container, selectors[Number(selector[1])]);
    if (isList(container)) return ITEM_NAME.test(name) ? container[Number(name)] : undefined;
    return name.startsWith('=') ? memberOf(container, name.slice(1)) : undefined;
  };

  const shown = (value: JsonValue, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > limits.maxDepth) throw new SearchTooLarge();
    return view(value as Container, depth);
  };

  const view = (container: Container, depth: number): object => {
    const stand = isList(container) ? [] : {};
    const proxy = new Proxy<object>(stand, {
      get: (_stand, name) => {
        look();
        if (name === 'length' && isList(container)) return container.length;
        const value = valueOf(container, name);
        return value === undefined ? undefined : shown(value, depth + 1);
      },
      getOwnPropertyDescriptor: (_stand, name) => {
        look();
        const value = valueOf(container, name);
        return value === undefined
          ? Reflect.getOwnPropertyDescriptor(stand, name)
          : { value: true, configurable: true, enumerable: true, writable: true };
      },
      ownKeys: () => {
        const names = namesOf(container);
        look(names.length);
        return names;
      },
    });
    behindViews.set(proxy, container);
    return proxy;
  };

  return {
    root: view(document as Container, 0),
    behind: (value) =>
      typeof value === 'object' && value !== null
        ? (behindViews.get(value) ?? null)
        : (value as JsonValue),
  };
};
