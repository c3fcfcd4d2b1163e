import { buildCatalog, type ServerInventory } from '@gateway/catalog';
import { harnessOf } from './harness.ts';
import { callOf, contextOf, nativeHarness } from './native/native-harness.ts';

/** The numbers of the items. */
export const NUMBERS = Array.from({ length: 500 }, (_, index) => index);

/** A server with 500 items of each kind. */
export const serverOf = (name: string): ServerInventory => ({
  name,
  labels: {},
  tools: NUMBERS.map((n) => ({ name: `t${n}`, inputSchema: { type: 'object' } })),
  prompts: NUMBERS.map((n) => ({ name: `p${n}` })),
  resources: NUMBERS.map((n) => ({ uri: `${name}://r${n}` })),
  resourceTemplates: NUMBERS.map((n) => ({ uriTemplate: `${name}://d${n}/{part}` })),
});

/** Returns a catalog of servers alone. */
export const snapshotOf = (...servers: readonly ServerInventory[]) =>
  buildCatalog({ servers, workflows: [], coreTools: [] });

const snapshot = snapshotOf(serverOf('inside'), serverOf('hidden'));
/** The toolset of the caller. */
export const header = 'server:inside';

/** Names an item of a server outside the toolset, which exists, or one of a server that does not exist. Both have one length. */
type NameOf = (server: 'hidden' | 'absent', n: number) => string;

/** One request that names an item. */
export interface HiddenItemCase {
  readonly what: string;
  readonly nameOf: NameOf;
  readonly send: () => (name: string) => Promise<unknown>;
}

const metaCase = (tool: string, key: 'name' | 'uri', nameOf: NameOf): HiddenItemCase => ({
  what: `${tool} of ${nameOf('hidden', 1)}`,
  nameOf,
  send: () => {
    const { metaTools } = harnessOf({ snapshotOf: () => snapshot });
    const [toolsetHeader, context] = [[header], contextOf()];
    return async (name) =>
      metaTools.call({ name: tool, arguments: { [key]: name }, toolsetHeader, context });
  },
});

type Method = 'tools/call' | 'prompts/get' | 'resources/read';

const nativeCase = (method: Method, key: 'name' | 'uri', nameOf: NameOf): HiddenItemCase => ({
  what: `${method} of ${nameOf('hidden', 1)}`,
  nameOf,
  send: () => {
    const native = nativeHarness({ snapshotOf: () => snapshot });
    return (name) => callOf(native, method, { [key]: name }, { header });
  },
});

const tool: NameOf = (server, n) => `x_${server}_t${n}`;
const prompt: NameOf = (server, n) => `x_${server}_p${n}`;
const resource: NameOf = (server, n) => `${server}://r${n}`;
const expansion: NameOf = (server, n) => `${server}://d${n}/x`;

/** The requests that name an item outside the toolset. */
export const CASES: readonly HiddenItemCase[] = [
  metaCase('call_tool', 'name', tool),
  nativeCase('tools/call', 'name', tool),
  metaCase('get_prompt', 'name', prompt),
  metaCase('describe_prompt', 'name', prompt),
  nativeCase('prompts/get', 'name', prompt),
  ...[resource, expansion].flatMap((nameOf) => [
    metaCase('get_resource', 'uri', nameOf),
    metaCase('describe_resource', 'uri', nameOf),
    nativeCase('resources/read', 'uri', nameOf),
  ]),
];
