import {
  type CallContext,
  type CallOutcome,
  type JsonObject,
  type CallResult,
  isJsonObject,
} from '@gateway/call-contract';
import {
  type CatalogTool,
  checkArguments,
  formatError,
  formatSignature,
  type RouteError,
  routeToolCall,
} from '@gateway/catalog';
import {
  changeMembers,
  storeSourceText,
  findSourceText,
  RawObject,
  formatJson,
  isInputRequired,
} from '@gateway/mcp-wire';
import type { MetaToolPorts } from '../contract/meta-tool.ts';
import { type Refusal, createRefusalResult, formatRefusalText } from '../contract/result.ts';
import {
  findAbsentToolRefusal,
  findMemberRefusal,
  createUnavailableRefusal,
  findUnavailableTool,
} from '../scope/absent-tools.ts';
import { defineMetaTool, createObjectArgument, createTextArgument } from '../define-meta-tool.ts';
import { type MetaToolContext, type Read, read, refuse } from '../scope/toolset-scope.ts';

/** The origin of an answer: the exposed name and, for a server's tool, the server and its own name for it. */
interface ToolOrigin {
  readonly name: string;
  readonly server?: string;
  readonly serverTool?: string;
}

/** A call that was sent: its origin and its pending outcome. */
interface SentCall {
  readonly origin: ToolOrigin;
  readonly outcome: Promise<CallOutcome>;
}

/** One call of a tool of the catalog. */
interface ToolCall {
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
  readonly context: CallContext;
}

type Ports = Pick<
  MetaToolPorts,
  'callServerTool' | 'callWorkflow' | 'callCoreTool' | 'lastKnownTools'
>;

/** Returns why a call has no route: the member that it names is down, or there is no such member. */
const formatRouteProblem = (
  { tool: { name }, arguments: args, context }: ToolCall,
  error: RouteError,
  ports: Ports,
): string => {
  const down = findMemberRefusal(name, args, ports.lastKnownTools(context.principal));
  return down === undefined ? formatError(error) : formatRefusalText(down);
};

/** Returns the arguments for the server; they keep their text, without the instance argument of a family. */
const toServerArguments = (args: JsonObject, routed: JsonObject): JsonObject => {
  const text = routed === args ? undefined : findSourceText(args);
  if (text === undefined) return routed;
  const remove = (name: string): boolean => !Object.hasOwn(routed, name);
  return storeSourceText(routed, changeMembers(text, { remove }));
};

const SEND: {
  readonly [K in CatalogTool['kind']]: (call: ToolCall, ports: Ports) => SentCall;
} = {
  tool: (called, ports) => {
    const { tool, arguments: args, context } = called;
    const { name } = tool;
    const route = routeToolCall(tool, args);
    if (!route.ok) {
      const text = formatRouteProblem(called, route.error, ports);
      return { origin: { name }, outcome: Promise.resolve({ ok: false, text }) };
    }
    const { server, serverTool, arguments: routed } = route.value;
    const call = { server, tool: serverTool, arguments: toServerArguments(args, routed) };
    return { origin: { name, server, serverTool }, outcome: ports.callServerTool(call, context) };
  },
  workflow: ({ tool: { name }, arguments: args, context }, ports) => ({
    origin: { name },
    outcome: ports.callWorkflow(name, args, context),
  }),
  core: ({ tool: { name }, arguments: args, context }, ports) => ({
    origin: { name },
    outcome: ports.callCoreTool(name, args, context),
  }),
};

/** Sends a call where its tool is served, by the kind of the tool. @spec §1.3 */
export const dispatchTool = (call: ToolCall, ports: Ports): SentCall => {
  const { tool, context } = call;
  if (context.record !== undefined) context.record.tool = tool.name;
  return SEND[tool.kind](call, ports);
};

type AdmissionContext = Parameters<typeof findAbsentToolRefusal>[2];

/**
 * Returns the tool to call, `tool` by its name in the catalog. A tool that the toolset does not select is refused as outside, known or not,
 * unless it would be selected and called if its server were connected or the caller signed in.
 *
 * @spec §4.2, §7.2
 */
export const admitTool = (
  { name, arguments: args }: { readonly name: string; readonly arguments: JsonObject },
  tool: CatalogTool | undefined,
  context: AdmissionContext,
): Read<CatalogTool> => {
  const { scope, ports, call } = context;
  if (tool !== undefined && scope?.selection.has(tool) !== false) return read(tool);
  // Runs for hidden tools too, so that the time of a refusal does not reveal whether the tool exists.
  const absent = findAbsentToolRefusal(name, args, context);
  if (tool === undefined && absent !== undefined) return refuse(absent);
  if (scope === undefined) return refuse({ code: 'tool.unknown', name });
  const toolset = scope.toolset.text;
  ports.onCallRefused({ tool: name, toolset, call });
  return refuse({ code: 'toolset.outside', kind: 'tool', name, toolset });
};

/**
 * Returns the tool to call, as {@link admitTool} does. Arguments that do not fit the tool's own schema are refused, unless those of its server
 * are not checked. Workflows and core tools check theirs; the dispatch refuses a call without a route.
 */
export const admitCall = (
  call: { readonly name: string; readonly arguments: JsonObject },
  known: CatalogTool | undefined,
  context: AdmissionContext,
): Read<CatalogTool> => {
  const admitted = admitTool(call, known, context);
  if (!admitted.ok || admitted.value.kind !== 'tool') return admitted;
  const { name, inputSchema } = admitted.value;
  const problems = checkArguments(inputSchema, call.arguments);
  if (problems.length === 0) return admitted;
  const route = routeToolCall(admitted.value, call.arguments);
  if (!route.ok || !context.ports.checksArguments(route.value.server)) return admitted;
  const signature = formatSignature(inputSchema);
  return refuse({ code: 'tool.arguments-invalid', name, problems, signature });
};

/** Answers a call that is refused; the sentence about a sign-in names the address where the caller signs in. */
export const refuseCall = (
  refusal: Refusal,
  call: CallContext,
  ports: MetaToolPorts,
): CallResult | Promise<CallResult> => {
  if (refusal.code !== 'tool.sign-in-required') return createRefusalResult(refusal, ports);
  return ports
    .signInLink(refusal.server, call)
    .then((link) => createRefusalResult({ ...refusal, link }, ports));
};

/**
 * Calls a tool by its exact exposed name as `call_tool` does, without a toolset: steps of workflows use it.
 *
 * @spec §4.2
 */
export const callUnscopedTool = (
  { name, arguments: args }: { readonly name: string; readonly arguments: JsonObject },
  context: CallContext,
  ports: Ports & Pick<MetaToolPorts, 'snapshot'>,
): Promise<CallOutcome> => {
  const tool = ports.snapshot(context.principal).tool(name);
  if (tool !== undefined) return dispatchTool({ tool, arguments: args, context }, ports).outcome;
  const unavailable = findUnavailableTool(name, ports.lastKnownTools(context.principal));
  const text =
    unavailable === undefined
      ? formatRefusalText({ code: 'tool.unknown', name })
      : formatRefusalText(createUnavailableRefusal(name, args, unavailable));
  return Promise.resolve({ ok: false, text });
};

/** Returns the `_meta` with the origin of a call: the same for every call of a tool at a server. A family's tool has several servers. */
const resolveOriginMeta = (
  tool: CatalogTool,
  origin: ToolOrigin,
  { apiGroup, originMetas }: Pick<MetaToolContext, 'apiGroup' | 'originMetas'>,
): JsonObject => {
  const { server = '' } = origin;
  const metas = originMetas.get(tool) ?? new Map<string, JsonObject>();
  const known = metas.get(server);
  if (known !== undefined) return known;
  const origins = { [`${apiGroup}/tool`]: origin };
  // Its JSON is written once.
  const meta = storeSourceText(origins, JSON.stringify(origins));
  originMetas.set(tool, metas.set(server, meta));
  return meta;
};

/** Calls a tool of the catalog and answers with that tool's own result. @spec §1.1, §4.2 */
export const callTool = defineMetaTool({
  name: 'call_tool',
  description: "Call a tool that filter_tools found. Answers the tool's own result.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  arguments: {
    name: createTextArgument('Exact name, like x_files_read_file'),
    arguments: createObjectArgument("By the tool's inputSchema"),
  },
  resultSchema: {
    type: 'object',
    properties: {
      content: { type: 'array', items: { type: 'object' } },
      structuredContent: {},
      isError: { type: 'boolean' },
      _meta: { type: 'object' },
    },
    required: ['content'],
  },
  refuse: (args, context) => {
    const found = admitTool(args, context.snapshot.tool(args.name), context);
    return found.ok ? undefined : found.refusal;
  },
  answer: (args, context) => {
    const { snapshot, ports, call } = context;
    const found = admitCall(args, snapshot.tool(args.name), context);
    if (!found.ok) return refuseCall(found.refusal, call, ports);
    const tool = found.value;
    const called = { tool, arguments: args.arguments, context: call };
    const { origin, outcome } = dispatchTool(called, ports);
    return outcome.then((done) => {
      if (!done.ok) return createRefusalResult({ code: 'tool.failed', reason: done.text }, ports);
      const { result } = done;
      if (isInputRequired(result)) return result;
      const meta = resolveOriginMeta(tool, origin, context);
      // Core tools answer a page at a time.
      const limited =
        tool.kind === 'core' ? result : ports.limitResult(result, origin.server, call);
      return limited instanceof Promise
        ? limited.then((part) => withMeta(part, meta))
        : withMeta(limited, meta);
    });
  },
});

/** Adds members to the `_meta` of a result; nothing else of it is touched. They win over those of the same names. */
export const withMeta = (result: CallResult, own: JsonObject): CallResult => {
  if (result instanceof RawObject) return result.with({ _meta: formatMeta(result, own) });
  const meta = result['_meta'];
  const _meta = isJsonObject(meta) ? { ...meta, ...own } : own;
  // A spread with a key behind it is slow; `Object.assign` cannot carry `__proto__`.
  const copy = Object.hasOwn(result, '__proto__')
    ? { ...result, _meta }
    : Object.assign({}, result, { _meta });
  const text = findSourceText(result);
  if (text === undefined || text === '{}' || Object.hasOwn(result, '_meta')) return copy;
  return storeSourceText(copy, `{"_meta":${formatJson(own)},${text.slice(1)}`);
};

const formatMeta = (result: RawObject, own: JsonObject): string => {
  const text = result.member('_meta');
  // A malformed `_meta` cannot be added to.
  if (text?.startsWith('{') !== true) return formatJson(own);
  const add = Object.entries(own).map(([name, value]) => [name, JSON.stringify(value)]);
  return changeMembers(text, { add: Object.fromEntries(add) as Record<string, string> });
};
