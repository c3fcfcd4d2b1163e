import { buildCatalog, type ServerInventory } from '@gateway/catalog';
import type { LastKnownTools } from '../src/contract/meta-tool.ts';
import { harnessOf, type HarnessOptions } from './harness.ts';
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

/** The states of the server outside the toolset, as the title of a case shows them. */
const CONNECTED = ['', { snapshotOf: () => snapshot }] as const;
const insideAlone = snapshotOf(serverOf('inside'));
const lastKnown: LastKnownTools = {
  catalog: snapshotOf(serverOf('hidden')),
  findState: (server) => (server === 'hidden' ? 'Disconnected' : undefined),
};
const DOWN = [', whose server is down', { snapshotOf: () => insideAlone, lastKnown }] as const;
const SIGNED_OUT = [
  ', whose server requires sign-in',
  { snapshotOf: () => insideAlone, signedOut: ['hidden'] },
] as const;

const metaCase = (
  tool: string,
  key: 'name' | 'uri',
  nameOf: NameOf,
  [state, parts]: readonly [state: string, parts: HarnessOptions] = CONNECTED,
): HiddenItemCase => ({
  what: `${tool} of ${nameOf('hidden', 1)}${state}`,
  nameOf,
  send: () => {
    const { metaTools } = harnessOf(parts);
    const [toolsetHeader, context] = [[header], contextOf()];
    return async (name) =>
      metaTools.call({ name: tool, arguments: { [key]: name }, toolsetHeader, context });
  },
});

type Method = 'tools/call' | 'prompts/get' | 'resources/read';

const nativeCase = (
  method: Method,
  key: 'name' | 'uri',
  nameOf: NameOf,
  [state, parts]: readonly [state: string, parts: HarnessOptions] = CONNECTED,
): HiddenItemCase => ({
  what: `${method} of ${nameOf('hidden', 1)}${state}`,
  nameOf,
  send: () => {
    const native = nativeHarness(parts);
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
  ...[DOWN, SIGNED_OUT].flatMap((state) => [
    metaCase('call_tool', 'name', tool, state),
    nativeCase('tools/call', 'name', tool, state),
  ]),
  metaCase('get_prompt', 'name', prompt),
  metaCase('describe_prompt', 'name', prompt),
  nativeCase('prompts/get', 'name', prompt),
  ...[resource, expansion].flatMap((nameOf) => [
    metaCase('get_resource', 'uri', nameOf),
    metaCase('describe_resource', 'uri', nameOf),
    nativeCase('resources/read', 'uri', nameOf),
  ]),
];
