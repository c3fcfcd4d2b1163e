import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { type JsonPathSelector, isJsonList } from '@gateway/go-template';

/** Thrown by a search that exceeds its limits; caught where the search began. */
export class SearchTooLarge extends Error {}

/** The remaining visits of all searches that share them. */
export interface SharedVisits {
  left: number;
}

/** Bounds of one search. */
export interface SearchLimits {
  /** Maximum number of visits of the search. */
  readonly maxVisits: number;
  /** A further limit, shared with other searches. */
  readonly shared?: SharedVisits;
  /** The weight of a visit; one when absent. */
  readonly weight?: number;
  /** Levels below the root that it may go down. */
  readonly maxDepth: number;
}

/** Names of a view: `k<n>` is the selector of that number, `=<key>` a member, digits an item. No document can mix them up. */
const SELECTOR_NAME = /^k(\d+)$/;
const ITEM_NAME = /^\d+$/;

const itemOf = (list: readonly JsonValue[], index: number): JsonValue | undefined =>
  list[index < 0 ? list.length + index : index];

const memberOf = (map: JsonMap, key: string): JsonValue | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

type Container = readonly JsonValue[] | JsonMap;

/** Names select of objects, and indexes of lists: own members only. */
const select = (
  container: Container,
  selector: JsonPathSelector | undefined,
): JsonValue | undefined => {
  if (isJsonList(container)) {
    return selector?.kind === 'index' ? itemOf(container, selector.index) : undefined;
  }
  return selector?.kind === 'name' ? memberOf(container, selector.name) : undefined;
};

const namesOf = (container: Container): string[] =>
  isJsonList(container)
    ? [...Array.from(container.keys(), String), 'length']
    : Object.keys(container).map((key) => `=${key}`);

/** The representation of an object or a list for the library. */
class ContainerHandler implements ProxyHandler<object> {
  readonly #view: GuardedView;
  readonly #container: Container;
  readonly #depth: number;

  constructor(view: GuardedView, container: Container, depth: number) {
    this.#view = view;
    this.#container = container;
    this.#depth = depth;
  }

  get(_target: object, name: string | symbol): unknown {
    this.#view.countVisits();
    if (name === 'length' && isJsonList(this.#container)) return this.#container.length;
    const value = this.#valueOf(name);
    return value === undefined ? undefined : this.#view.represent(value, this.#depth + 1);
  }

  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    this.#view.countVisits();
    return this.#valueOf(name) === undefined
      ? Reflect.getOwnPropertyDescriptor(target, name)
      : { value: true, configurable: true, enumerable: true, writable: true };
  }

  ownKeys(): string[] {
    // Counted first: a list can be long.
    if (isJsonList(this.#container)) this.#view.countVisits(this.#container.length);
    const names = namesOf(this.#container);
    if (!isJsonList(this.#container)) this.#view.countVisits(names.length);
    return names;
  }

  #valueOf(name: string | symbol): JsonValue | undefined {
    if (typeof name === 'symbol') return undefined;
    const container = this.#container;
    const selector = SELECTOR_NAME.exec(name);
    if (selector !== null) return select(container, this.#view.selectors[Number(selector[1])]);
    if (isJsonList(container)) return ITEM_NAME.test(name) ? container[Number(name)] : undefined;
    return name.startsWith('=') ? memberOf(container, name.slice(1)) : undefined;
  }
}

/**
 * Represents a document for a library whose number of accesses is unknown: every access is counted, only own members exist, and
 * the names that a path requests are numbers of its selectors, so that no key is read as syntax.
 */
export class GuardedView {
  readonly selectors: readonly JsonPathSelector[];
  readonly root: unknown;
  readonly #limits: SearchLimits;
  readonly #behind = new WeakMap<object, JsonValue>();
  #visits = 0;

  constructor(document: JsonValue, selectors: readonly JsonPathSelector[], limits: SearchLimits) {
    this.selectors = selectors;
    this.#limits = limits;
    this.root = this.represent(document, 0);
  }

  /** Counts visits; throws `SearchTooLarge` when the limit is exceeded. */
  countVisits(count = 1): void {
    const { maxVisits, shared, weight = 1 } = this.#limits;
    const weighted = count * weight;
    this.#visits += weighted;
    if (shared !== undefined) shared.left -= weighted;
    if (this.#visits > maxVisits || (shared?.left ?? 0) < 0) throw new SearchTooLarge();
  }

  /** Returns the representation of a value for the library. */
  represent(value: JsonValue, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > this.#limits.maxDepth) throw new SearchTooLarge();
    const target = Array.isArray(value) ? [] : {};
    const proxy = new Proxy<object>(target, new ContainerHandler(this, value, depth));
    this.#behind.set(proxy, value);
    return proxy;
  }

  /** Returns the value behind a representation; undefined for any other object. */
  behind(value: unknown): JsonValue | undefined {
    if (typeof value !== 'object' || value === null) return value as JsonValue;
    return this.#behind.get(value);
  }
}
