type Member = (...args: never[]) => unknown;

/** A member that returns a promise. */
type RequestMember = (...args: never[]) => Promise<unknown>;

/** A member whose last parameter is a listener and that returns the function that ends the subscription. */
type SubscriptionMember = (...args: never[]) => () => void;

/** A limit of the characters that wait to leave the sending process. What exceeds it is dropped. */
export interface DropPolicy {
  readonly maxUnsent: number;
}

/** A member that is sent without awaiting a result. */
export interface Notification extends Partial<DropPolicy> {
  readonly kind: 'notification';
}

/** A member that calls its listener until the subscription ends. The policy concerns the calls of the listener. */
export interface Subscription extends Partial<DropPolicy> {
  readonly kind: 'subscription';
}

/**
 * Describes the members of a contract that are not requests. Requests need no entry, so that a new request changes only the interface and
 * its implementation.
 */
export type Members<C> = {
  readonly [K in keyof C as C[K] extends RequestMember ? never : K]: C[K] extends SubscriptionMember
    ? Subscription
    : C[K] extends Member
      ? Notification
      : Members<C[K]>;
};

/** Calls the members of a contract in the other process. */
export interface MemberCalls {
  request(member: string, args: readonly unknown[]): Promise<unknown>;
  notify(member: string, args: readonly unknown[], policy: Partial<DropPolicy>): void;
  subscribe(member: string, args: readonly unknown[], policy: Partial<DropPolicy>): () => void;
}

type Entry = Notification | Subscription | { readonly [member: string]: Entry };

const isLeaf = (entry: Entry): entry is Notification | Subscription =>
  'kind' in entry && typeof entry.kind === 'string';

/** Creates an object with the members of a contract. Each member calls the other process. */
export const createRemote = <C extends object>(calls: MemberCalls, members: Members<C>): C =>
  remoteOf(calls, members as { readonly [member: string]: Entry }, '') as C;

const remoteOf = (
  calls: MemberCalls,
  entries: { readonly [member: string]: Entry },
  prefix: string,
): object =>
  new Proxy(new Map<string, unknown>(), {
    get(known, name) {
      // A promise resolves with this object; it is not a promise itself.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      if (!known.has(name)) {
        const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
        known.set(name, memberOf(calls, `${prefix}${name}`, entry));
      }
      return known.get(name);
    },
  });

const memberOf = (calls: MemberCalls, member: string, entry: Entry | undefined): unknown => {
  if (entry === undefined) return (...args: readonly unknown[]) => calls.request(member, args);
  if (!isLeaf(entry)) return remoteOf(calls, entry, `${member}.`);
  return entry.kind === 'notification'
    ? (...args: readonly unknown[]) => calls.notify(member, args, entry)
    : (...args: readonly unknown[]) => calls.subscribe(member, args, entry);
};

/** Returns the function that a member's path names in an implementation; `undefined` when there is none. Inherited members of every object have no path. */
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
