import { findSourceText, RawObject } from '@gateway/mcp-wire';
import {
  ANONYMOUS,
  type CallContext,
  type Caller,
  type CallOutcome,
  type CallResult,
  type JsonObject,
  type Principal,
} from '@gateway/call-contract';
import { buildCatalog, type CatalogSnapshot } from '@gateway/catalog';
import { parsePresets, type PresetSet } from '@gateway/preset-resolver';
import { expect } from 'vitest';
import {
  createMetaTools,
  type MetaToolPorts,
  type MetaTools,
  type NativePorts,
  type SearchPort,
  type ToolsetRefusalReason,
} from '../src/index.ts';
import type {
  OwnResource,
  LastKnownTools,
  WithheldTools,
  ServerWithoutTokens,
  SignedOutServer,
  MetaToolName,
} from '../src/contract/meta-tool.ts';
import { catalogInput } from './catalog-input.ts';

/** One call that left the meta-tools. */
export interface PortCall {
  readonly port: keyof NativePorts;
  readonly call: unknown;
  readonly context: CallContext;
}

/** A refused call as the log shows it. */
interface LoggedRefusal {
  readonly tool: string;
  readonly toolset: string;
  readonly session: string | undefined;
}

/** The meta-tools over a fixed catalog, and everything that they asked of the harness. */
export interface Harness {
  readonly metaTools: MetaTools;
  readonly ports: MetaToolPorts;
  readonly calls: PortCall[];
  readonly refusals: LoggedRefusal[];
  readonly toolsetRefusals: ToolsetRefusalReason[];
  readonly warnings: string[];
  /** How often a look-up in memory was asked. */
  readonly lookUps: { snapshot: number; presets: number; serversRequiringAuth: number };
}

/** What a harness may have instead of its defaults. */
export interface HarnessOptions {
  readonly snapshotOf?: (principal: Principal) => CatalogSnapshot;
  readonly presets?: () => PresetSet;
  readonly signedOut?: readonly (string | SignedOutServer)[];
  readonly withoutTokens?: readonly ServerWithoutTokens[];
  /** The tools of servers that are down. */
  readonly lastKnown?: LastKnownTools;
  readonly withheld?: WithheldTools;
  /** The address at which the caller signs in to any server. */
  readonly signInLink?: string;
  readonly outcome?: CallOutcome;
  /** The resources of the gateway itself. */
  readonly gatewayResources?: readonly OwnResource[];
  /** What a result of a server or a workflow becomes. */
  readonly limited?: CallResult | Promise<CallResult>;
  /** What the caller reads of a kept result. */
  readonly kept?: CallOutcome;
  readonly apiGroup?: string;
  readonly pageSize?: number;
  readonly search?: SearchPort;
  /** The servers whose tools are called with any arguments. */
  readonly unchecked?: readonly string[];
}

/** Presets of every sort that these tests need. */
const presetConfig = {
  team: { description: 'Files of the team', include: [{ pattern: 'x_files_*' }] },
  storage: { include: [{ label: 'team=storage' }] },
  ghosts: { include: [{ server: 'nowhere' }] },
};

/** Parses presets that are known to be right. */
export const presetsOf = (config: unknown): PresetSet => {
  const parsed = parsePresets(config, { gatewayVersion: '5.13.0' });
  if (!parsed.ok) throw new Error('the presets of the tests are refused');
  return parsed.value;
};

/** The catalog of the tests. */
export const snapshot: CatalogSnapshot = buildCatalog(catalogInput);

const NO_RESOURCES: readonly OwnResource[] = [];

/** The presets of the tests. */
const presets: PresetSet = presetsOf(presetConfig);

/** Makes the meta-tools over a harness that answers every call with one outcome and remembers it. */
export const harnessOf = (parts: HarnessOptions = {}): Harness => {
  const calls: PortCall[] = [];
  const refusals: LoggedRefusal[] = [];
  const toolsetRefusals: ToolsetRefusalReason[] = [];
  const warnings: string[] = [];
  const lookUps = { snapshot: 0, presets: 0, serversRequiringAuth: 0 };
  const done = { content: [{ type: 'text', text: 'done' }] };
  const outcome = parts.outcome ?? { ok: true, result: done };
  const answer = (port: keyof MetaToolPorts, call: unknown, context: CallContext) => {
    calls.push({ port, call, context });
    return Promise.resolve(outcome);
  };
  const namedOf = () =>
    (parts.signedOut ?? []).map((one) => (typeof one === 'string' ? { name: one } : one));
  let signedOut = namedOf();
  const ports: MetaToolPorts = {
    snapshot: (principal) => {
      lookUps.snapshot += 1;
      return parts.snapshotOf?.(principal) ?? snapshot;
    },
    presets: () => {
      lookUps.presets += 1;
      return parts.presets?.() ?? presets;
    },
    serversRequiringAuth: () => {
      lookUps.serversRequiringAuth += 1;
      if (signedOut.length !== (parts.signedOut ?? []).length) signedOut = namedOf();
      return signedOut;
    },
    serversWithoutTokens: () => parts.withoutTokens ?? [],
    lastKnownTools: () => parts.lastKnown,
    withheldTools: () => parts.withheld,
    limitResult: (result, server, context) => {
      if (parts.limited === undefined) return result;
      calls.push({ port: 'limitResult', call: { result, server }, context });
      return parts.limited;
    },
    readKeptResult: (part, context) => {
      calls.push({ port: 'readKeptResult', call: part, context });
      return Promise.resolve(parts.kept);
    },
    gatewayResources: () => parts.gatewayResources ?? NO_RESOURCES,
    readGatewayResource: (uri, { principal }) =>
      Promise.resolve([{ uri, text: `for ${principal.subject}` }]),
    signInLink: (server, context) => {
      calls.push({ port: 'signInLink', call: server, context });
      return Promise.resolve(parts.signInLink);
    },
    checksArguments: (server) => parts.unchecked?.includes(server) !== true,
    callServerTool: (call, context) => answer('callServerTool', call, context),
    callCoreTool: (name, args, context) => answer('callCoreTool', { name, args }, context),
    callWorkflow: (name, args, context) => answer('callWorkflow', { name, args }, context),
    readResource: (call, context) => answer('readResource', call, context),
    getPrompt: (call, context) => answer('getPrompt', call, context),
    onCallRefused: ({ call, ...refusal }) => refusals.push({ ...refusal, session: call.sessionId }),
    onToolsetRefusal: (reason) => toolsetRefusals.push(reason),
    warn: (text) => warnings.push(text),
    ...(parts.search && { search: parts.search }),
  };
  const metaTools = createMetaTools(ports, {
    apiGroup: parts.apiGroup ?? 'gateway.internal',
    pageSize: parts.pageSize ?? 100,
  });
  return { metaTools, ports, calls, refusals, toolsetRefusals, warnings, lookUps };
};

/** One request, as far as a test cares. */
export interface Asked {
  readonly header?: string | readonly string[];
  readonly session?: string;
  /** The anonymous principal unless set. */
  readonly principal?: Principal;
  readonly harness?: Harness;
  /** `_meta` of the request. */
  readonly meta?: JsonObject;
  /** The client that asks. */
  readonly caller?: Caller;
}

/** The raw result of one call. */
const resultOf = async (
  name: string,
  args?: unknown,
  { header, session = 's1', principal = ANONYMOUS, harness = harnessOf(), ...sent }: Asked = {},
): Promise<JsonObject> => {
  const result = await harness.metaTools.call({
    name,
    arguments: args,
    toolsetHeader: typeof header === 'string' ? [header] : header,
    context: { principal, sessionId: session, signal: new AbortController().signal, ...sent },
  });
  const value = result instanceof RawObject ? (JSON.parse(result.text) as JsonObject) : result;
  // A text that a result keeps says the same.
  const text = findSourceText(result);
  if (text !== undefined) expect(JSON.parse(text)).toEqual(value);
  return value;
};

const readText = (result: JsonObject): string => {
  const content = result['content'] as readonly JsonObject[];
  if (content.length !== 1) throw new Error(`expected one item, got ${JSON.stringify(content)}`);
  return String(content[0]?.['text']);
};

/** Arranges requests under a toolset over one harness. */
export const under = (
  header?: string | readonly string[],
  parts: HarnessOptions | Harness = {},
  more: Asked = {},
) => {
  const harness = 'metaTools' in parts ? parts : harnessOf(parts);
  const asked = { harness, ...(header !== undefined && { header }), ...more };
  const result = (name: string, args?: unknown) => resultOf(name, args, asked);
  /** Returns the JSON that a meta-tool answers; fails on a refusal. */
  const answer = async (name: MetaToolName, args?: unknown): Promise<unknown> => {
    const value = await result(name, args);
    if (value['isError'] !== undefined) throw new Error(readText(value));
    return JSON.parse(readText(value));
  };
  /** Returns the sentence with which a meta-tool refuses; fails on an answer. */
  const refusal = async (name: string, args?: unknown): Promise<string> => {
    const value = await result(name, args);
    if (value['isError'] !== true) throw new Error(`not refused: ${readText(value)}`);
    return readText(value);
  };
  return {
    harness,
    result,
    answer,
    refusal,
    /** Answers `filter_tools`. */
    filter: (args?: unknown) => answer('filter_tools', args),
    /** Returns the names of the tools of an answer. */
    tools: async (args?: unknown, name: MetaToolName = 'filter_tools') => {
      const { tools } = (await answer(name, args)) as { tools: readonly JsonObject[] };
      return tools.map(({ name: tool }) => tool);
    },
    call: (name: string, args?: unknown) => result('call_tool', { name, arguments: args }),
    refusedCall: (name: string, args?: unknown) => refusal('call_tool', { name, arguments: args }),
    describe: (name: string) => answer('describe_tool', { name }),
    /** What the harness was called with. */
    calls: () => harness.calls.map(({ port, call }) => [port, call]),
  };
};

/** The options of a harness whose servers answer with this result. */
export const resulting = (result: JsonObject): HarnessOptions => ({
  outcome: { ok: true, result },
});

/** The options of a harness whose servers answer with this failure. */
export const failing = (text: string): HarnessOptions => ({ outcome: { ok: false, text } });

/** Names what is outside which toolset. */
export const outside = (what: string, toolset: string): string =>
  `${what} is outside the toolset [${toolset}]`;

/** A client of a revision with or without `input_required`. */
export const callerOf = (takesInputRequired: boolean): Caller => ({
  capabilities: {},
  takesInputRequired,
  logLevel: undefined,
  identity: {},
  ask: () => Promise.resolve({ ok: true, result: {} }),
  notify: () => undefined,
});

/** Arguments with which each meta-tool answers without a toolset. */
export const GOOD_ARGUMENTS: Readonly<Record<MetaToolName, JsonObject>> = {
  list_tools: {},
  filter_tools: {},
  describe_tool: { name: 'x_files_read_file' },
  list_core_tools: {},
  call_tool: { name: 'x_files_read_file', arguments: { path: 'a' } },
  list_resources: {},
  filter_resources: {},
  describe_resource: { uri: 'file:///readme' },
  get_resource: { uri: 'file:///readme' },
  list_prompts: {},
  filter_prompts: {},
  describe_prompt: { name: 'x_files_review' },
  get_prompt: { name: 'x_files_review', arguments: { path: 'a' } },
};

/** The 13 names. */
export const META_TOOL_NAMES = Object.keys(GOOD_ARGUMENTS) as readonly MetaToolName[];
