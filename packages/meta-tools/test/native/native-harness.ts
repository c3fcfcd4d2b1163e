import type { ListMethod, CallMethod } from '@gateway/mcp-wire';
import { ANONYMOUS, type CallContext, type JsonObject } from '@gateway/call-contract';
import { buildCatalog, type CatalogInput, type CatalogSnapshot } from '@gateway/catalog';
import { NativeSurface, type NativePorts } from '../../src/index.ts';
import type { NativeAnswer } from '../../src/native/native-contract.ts';
import { catalogInput } from '../catalog-input.ts';
import { harnessOf, type Harness, type HarnessOptions } from '../harness.ts';

/** The native surface over a fixed catalog, and everything that it asked of the harness. */
export interface NativeHarness extends Harness {
  readonly surface: NativeSurface;
  /** The ways to report updates of the resources that are followed. */
  readonly followed: ((params: JsonObject) => void)[];
}

type NativeOptions = HarnessOptions & {
  readonly input?: CatalogInput;
  readonly signsUsersIn?: () => boolean;
};

/** Makes the surface over a harness that answers every call with one outcome and remembers it. */
export const nativeHarness = (parts: NativeOptions = {}): NativeHarness => {
  const { input = catalogInput } = parts;
  const snapshot = buildCatalog(input);
  const harness = harnessOf({ snapshotOf: () => snapshot, ...parts });
  const followed: ((params: JsonObject) => void)[] = [];
  const { outcome = { ok: true, result: { content: [] } } } = parts;
  const ports: NativePorts = {
    ...harness.ports,
    signsUsersIn: parts.signsUsersIn ?? (() => false),
    complete: (call, context) => {
      harness.calls.push({ port: 'complete', call, context });
      return Promise.resolve(outcome);
    },
    subscribeResource: (call, onUpdated) => {
      harness.calls.push({ port: 'subscribeResource', call, context: contextOf() });
      followed.push(onUpdated);
      return Promise.resolve(outcome.ok ? { ok: true, end: () => undefined } : outcome);
    },
  };
  return { ...harness, surface: new NativeSurface(ports), followed };
};

/** What a request brings that a test does not care about. */
export const contextOf = (more: Partial<CallContext> = {}): CallContext => ({
  principal: ANONYMOUS,
  sessionId: 's1',
  signal: new AbortController().signal,
  ...more,
});

/** A request under a toolset. */
export const underHeader = (header: string | undefined) => ({
  toolsetHeader: linesOf(header),
  principal: ANONYMOUS,
  sessionId: 's1',
});

/** The answer that refuses a request with an error. */
export const errorOf = (code: number, message: string, data?: JsonObject) => ({
  ok: false,
  error: data === undefined ? { code, message } : { code, message, data },
});

/** The answer that a failed tool gives. */
export const failedTool = (text: string) => ({
  ok: true,
  result: { content: [{ type: 'text', text }], isError: true },
});

/** Arranges requests under a toolset over one harness. */
export const nativeUnder = (header?: string, parts: NativeOptions = {}) => {
  const harness = nativeHarness(parts);
  const asked = header === undefined ? {} : { header };
  const send = (method: CallMethod, params: JsonObject, context = contextOf()) =>
    callOf(harness, method, params, { ...asked, context });
  return {
    ...harness,
    send,
    call: (name: string, args?: JsonObject) =>
      send('tools/call', args === undefined ? { name } : { name, arguments: args }),
    read: (uri: string, context?: CallContext) => send('resources/read', { uri }, context),
    /** Follows a resource. */
    follow: (uri: string, onUpdated: (params: JsonObject) => void = () => undefined) =>
      harness.surface.subscribe(uri, onUpdated, underHeader(header)),
    /** What the harness was called with. */
    portCalls: () => harness.calls.map(({ port, call }) => [port, call]),
  };
};

const linesOf = (header: string | undefined): readonly string[] | undefined =>
  header === undefined ? undefined : [header];

/** A list under a toolset. */
export const listOf = (
  { surface }: NativeHarness,
  method: ListMethod,
  header?: string,
): readonly JsonObject[] => {
  const answer = surface.list(method, underHeader(header));
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.items;
};

/** The names, URIs or templates of a list under a toolset. */
export const listNames = (
  harness: NativeHarness,
  method: ListMethod,
  header?: string,
): readonly unknown[] =>
  listOf(harness, method, header).map((item) => item['uri'] ?? item['uriTemplate'] ?? item['name']);

/** One call under a toolset. */
export const callOf = async (
  { surface }: NativeHarness,
  method: CallMethod,
  params: JsonObject,
  asked: { readonly header?: string; readonly context?: CallContext } = {},
): Promise<NativeAnswer> =>
  surface.call({
    method,
    params,
    toolsetHeader: linesOf(asked.header),
    context: asked.context ?? contextOf(),
  });

/** A catalog input of servers alone. */
export const inputOf = (...servers: CatalogInput['servers']): CatalogInput => ({
  servers,
  workflows: [],
  coreTools: [],
});

/** A server that offers nothing but what is said. */
export const serverOf = (
  name: string,
  tools: readonly string[] = [],
  more: Partial<CatalogInput['servers'][number]> = {},
): CatalogInput['servers'][number] => ({
  name,
  labels: {},
  tools: tools.map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
  resources: [],
  resourceTemplates: [],
  prompts: [],
  ...more,
});

/** A snapshot of servers alone. */
export const snapshotOf = (...servers: CatalogInput['servers']): CatalogSnapshot =>
  buildCatalog(inputOf(...servers));
