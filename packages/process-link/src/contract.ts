type Member = (...args: never[]) => unknown;

/** The keys of the members that return a promise, always or in some implementations. */
type RequestKeys<C> = {
  [K in keyof C]: C[K] extends (...args: never[]) => infer R
    ? Extract<R, Promise<unknown>> extends never
      ? never
      : K
    : never;
}[keyof C];

/** A member whose last parameter is a listener and that returns the function that ends the subscription. */
type SubscriptionMember = (...args: never[]) => () => void;

/** A limit of the characters that wait to leave the sending process. Calls beyond the limit are dropped. Default: no limit. */
export interface DropPolicy {
  readonly maxUnsent?: number;
}

/** A member whose result the caller awaits. */
export interface Request {
  readonly kind: 'request';
}

/** A member that is sent without awaiting a result. */
export interface Notification extends DropPolicy {
  readonly kind: 'notification';
}

/** A member that calls its listener until the subscription ends. The policy concerns the calls of the listener. */
export interface Subscription extends DropPolicy {
  readonly kind: 'subscription';
  /** All listeners of this process share one subscription. For members whose only parameter is the listener. */
  readonly isShared?: boolean;
}

/**
 * Describes the members of a contract. Requests need no entry, so that a new request changes only the interface and its implementation.
 * Members with an entry are own properties of the remote object.
 */
export type Members<C> = {
  readonly [K in Exclude<keyof C, RequestKeys<C>>]: C[K] extends SubscriptionMember
    ? Subscription
    : C[K] extends Member
      ? Notification
      : Members<C[K]>;
} & { readonly [K in RequestKeys<C>]?: Request };

/** Calls the members of a contract in the other process. */
export interface MemberCalls {
  request(member: string, args: readonly unknown[]): Promise<unknown>;
  notify(member: string, args: readonly unknown[], policy: DropPolicy): void;
  subscribe(member: string, args: readonly unknown[], policy: Subscription): () => void;
}

type Leaf = Request | Notification | Subscription;
type Entries = { readonly [member: string]: Leaf | Entries };

const isLeaf = (entry: Leaf | Entries): entry is Leaf => typeof entry['kind'] === 'string';

/** Creates an object with the members of a contract. Each member calls the other process. */
export const createRemote = <C extends object>(calls: MemberCalls, members: Members<C>): C =>
  remoteOf(calls, members, '') as C;

const remoteOf = (calls: MemberCalls, entries: Entries, prefix: string): object => {
  const members = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      memberOf(calls, `${prefix}${name}`, entry),
    ]),
  );
  return new Proxy(members, {
    get(known, name) {
      // An object with `then` is a promise: without this, `await` would call the other process.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      if (!Object.hasOwn(known, name))
        Object.defineProperty(known, name, {
          value: memberOf(calls, `${prefix}${name}`, { kind: 'request' }),
        });
      return known[name];
    },
  });
};

const memberOf = (calls: MemberCalls, member: string, entry: Leaf | Entries): unknown => {
  if (!isLeaf(entry)) return remoteOf(calls, entry, `${member}.`);
  switch (entry.kind) {
    case 'request':
      return (...args: readonly unknown[]) => calls.request(member, args);
    case 'notification':
      return (...args: readonly unknown[]) => calls.notify(member, args, entry);
    case 'subscription':
      return entry.isShared === true
        ? sharedSubscription((listener) => calls.subscribe(member, [listener], entry))
        : (...args: readonly unknown[]) => calls.subscribe(member, args, entry);
  }
};

type Listener = (...items: unknown[]) => void;

/** Opens one subscription for all listeners, from the first to the last. */
const sharedSubscription = (
  open: (listener: Listener) => () => void,
): ((listener: Listener) => () => void) => {
  const listeners = new Set<{ readonly listener: Listener }>();
  let close = (): void => undefined;
  return (listener) => {
    const own = { listener };
    listeners.add(own);
    if (listeners.size === 1)
      close = open((...items) => {
        for (const each of [...listeners]) each.listener(...items);
      });
    return () => {
      if (listeners.delete(own) && listeners.size === 0) close();
    };
  };
};

/** Returns the function at a path of an implementation; `undefined` when there is none. The members that every object has are not found. */
export const findMember = (implementation: object, path: string): Member | undefined => {
  let owner: unknown = implementation;
  let value: unknown = implementation;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || name in Object.prototype) return undefined;
    owner = value;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === 'function' ? (value.bind(owner) as Member) : undefined;
};
