import type { Principal } from '@gateway/call-contract';
import { TOKENS_ALLOWED, type Downstream } from '@gateway/downstream';
import type { MetaToolPorts } from '@gateway/meta-tools';

type SignedOut = ReturnType<MetaToolPorts['serversRequiringAuth']>;

/** Maximum number of lists that are kept. */
const MAX_LISTS = 256;

/** The states in which a person must sign in to use a server. */
const SIGNED_OUT: ReadonlySet<string> = new Set(['auth_required', 'reauth_required']);

/**
 * Returns a function that returns the servers that a person must sign in to. The same array for the same servers, because answers
 * that depend on the list are cached by its identity.
 */
export function followServersRequiringAuth(
  downstream: Downstream,
): MetaToolPorts['serversRequiringAuth'] {
  const lists = new SignedOutLists(downstream);
  downstream.onChange((changedFor) => {
    if (changedFor === 'all') lists.update();
  });
  return (principal) => lists.of(principal);
}

const describeServer = ({
  name,
  definition: { metadata, spec },
}: ReturnType<Downstream['servers']>[number]) => ({
  name,
  labels: metadata.labels,
  ...(spec.toolPrefix !== undefined && { toolPrefix: spec.toolPrefix }),
  ...(spec.family !== undefined && { family: spec.family }),
});

/** Returns a function that returns the servers that no token may be sent to, with the message of their condition. */
export function followServersWithoutTokens(
  downstream: Downstream,
): MetaToolPorts['serversWithoutTokens'] {
  const listServers = () =>
    downstream.servers().flatMap((view) => {
      const barred = view.status.conditions.find(({ type }) => type === TOKENS_ALLOWED);
      return barred === undefined ? [] : [{ ...describeServer(view), problem: barred.message }];
    });
  let servers = listServers();
  downstream.onChange((changedFor) => {
    if (changedFor === 'all') servers = listServers();
  });
  return () => servers;
}

/** The lists of servers that require sign-in, computed when servers change and not per request. */
class SignedOutLists {
  readonly #downstream: Downstream;
  /** The facts about all servers, by name. */
  #servers: ReadonlyMap<string, SignedOut[number]> = new Map();
  #text = '';
  /** The servers that require sign-in of everybody. */
  #shared: SignedOut = [];
  /** The lists of persons, by the names in them. */
  readonly #known = new Map<string, SignedOut>();

  constructor(downstream: Downstream) {
    this.#downstream = downstream;
    this.update();
  }

  update(): void {
    const views = this.#downstream.servers();
    const servers = views.map(describeServer);
    const shared = views.filter(({ state }) => state === 'Auth Required').map(({ name }) => name);
    const text = JSON.stringify([servers, shared]);
    if (text === this.#text) return;
    this.#text = text;
    this.#known.clear();
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#shared = this.#named(shared);
  }

  of(principal: Principal): SignedOut {
    const personal = this.#downstream.personal(principal);
    if (personal.length === 0) return this.#shared;
    const own = new Set(personal.map(({ server }) => server));
    const names = [
      ...this.#shared.flatMap(({ name }) => (own.has(name) ? [] : [name])),
      ...personal.flatMap(({ server, status }) => (SIGNED_OUT.has(status) ? [server] : [])),
    ].sort();
    return this.#named(names);
  }

  #named(names: readonly string[]): SignedOut {
    const key = names.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_LISTS && oldest !== undefined) this.#known.delete(oldest);
    const list = names.flatMap((name) => this.#servers.get(name) ?? []);
    this.#known.set(key, list);
    return list;
  }
}
