import type { McpServer } from '@gateway/crd-schemas';
import { createHash } from 'node:crypto';
import { computeDigests } from '../lists/exposed-lists.ts';
import { inSlices } from '../lists/read-list.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';

type ListName = keyof ServerLists;

/** One list of any kind; its type is that of its name. */
type AnyList = readonly unknown[];

const LIST_NAMES: readonly ListName[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** Sweep for collected lists after this many additions. */
const SWEEP_EVERY = 256;

const computeDigest = async (list: AnyList): Promise<string> => {
  const hash = createHash('sha256');
  await inSlices(list, (entry) => {
    // The length separates the entries.
    const text = JSON.stringify(entry);
    hash.update(`${text.length}:${text}`);
  });
  return hash.digest('base64url');
};

/** Keeps equal objects once, as long as they are in use. */
class Interned<T extends object> {
  readonly #known = new Map<string, WeakRef<T>>();
  #added = 0;

  /** Returns the known object of this key, or keeps `value`. */
  intern(key: string, value: T): T {
    const known = this.#known.get(key)?.deref();
    if (known !== undefined) return known;
    this.#known.set(key, new WeakRef(value));
    this.#added += 1;
    if (this.#added % SWEEP_EVERY === 0) this.#sweep();
    return value;
  }

  #sweep(): void {
    for (const [key, ref] of this.#known) if (ref.deref() === undefined) this.#known.delete(key);
  }
}

/** The lists of the servers as users see them. Equal lists of one server are one object, however many users see them. */
export class SharedLists {
  readonly #declared: DeclaredTools;
  readonly #lists = new Interned<AnyList>();
  readonly #whole = new Interned<ServerLists>();
  /** The lists whose declarations were compared with the remembered ones. */
  readonly #reviewed = new WeakSet<ServerLists>();

  constructor(declared: DeclaredTools) {
    this.#declared = declared;
  }

  /** Returns lists with shared arrays; the same object for equal lists of the same server. Works in slices. */
  async share({ metadata }: McpServer, lists: ServerLists): Promise<ServerLists> {
    await this.#declared.ready;
    const shared = await this.#intern(metadata.name, lists);
    if (this.#reviewed.has(shared)) return shared;
    await computeDigests(shared.tools);
    // Each variant of a list is compared once, not once per user.
    if (!this.#reviewed.has(shared)) this.#declared.review(metadata, shared.tools);
    this.#reviewed.add(shared);
    return shared;
  }

  async #intern(server: string, lists: ServerLists): Promise<ServerLists> {
    const digests = new Map<ListName, string>();
    for (const name of LIST_NAMES) digests.set(name, await computeDigest(lists[name]));
    const cacheKey = (name: ListName): string => JSON.stringify([server, name, digests.get(name)]);
    const whole = JSON.stringify([server, ...digests.values()]);
    return this.#whole.intern(whole, {
      tools: this.#lists.intern(cacheKey('tools'), lists.tools) as ServerLists['tools'],
      resources: this.#lists.intern(
        cacheKey('resources'),
        lists.resources,
      ) as ServerLists['resources'],
      resourceTemplates: this.#lists.intern(
        cacheKey('resourceTemplates'),
        lists.resourceTemplates,
      ) as ServerLists['resourceTemplates'],
      prompts: this.#lists.intern(cacheKey('prompts'), lists.prompts) as ServerLists['prompts'],
    });
  }
}
