import type { ServerTool } from '@gateway/catalog';
import { createHash } from 'node:crypto';
import { inSlices } from '../lists/in-slices.ts';
import type { ServerLists } from '../lists/server-lists.ts';

type ListName = keyof ServerLists;

/** One list of any kind; its type is that of its name. */
type AnyList = readonly unknown[];

const LIST_NAMES: readonly ListName[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** Sweep for collected lists after this many additions. */
const SWEEP_EVERY = 256;

const digestOf = async (list: AnyList): Promise<string> => {
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
  of(key: string, value: T): T {
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

/** The lists of the servers as persons see them. Equal lists of one server are one object, however many persons see them. */
export class SharedLists {
  readonly #lists = new Interned<AnyList>();
  readonly #whole = new Interned<ServerLists>();

  /** Returns the lists with shared arrays; the same object for equal lists of the same server. Works in slices. */
  async of(server: string, lists: ServerLists): Promise<ServerLists> {
    const digests = new Map<ListName, string>();
    for (const name of LIST_NAMES) digests.set(name, await digestOf(lists[name]));
    const keyOf = (name: ListName): string => JSON.stringify([server, name, digests.get(name)]);
    const whole = JSON.stringify([server, ...digests.values()]);
    return this.#whole.of(whole, {
      tools: this.#lists.of(keyOf('tools'), lists.tools) as readonly ServerTool[],
      resources: this.#lists.of(keyOf('resources'), lists.resources) as ServerLists['resources'],
      resourceTemplates: this.#lists.of(
        keyOf('resourceTemplates'),
        lists.resourceTemplates,
      ) as ServerLists['resourceTemplates'],
      prompts: this.#lists.of(keyOf('prompts'), lists.prompts) as ServerLists['prompts'],
    });
  }
}
