import type { CallMethod } from '@gateway/mcp-wire';
import {
  isJsonObject,
  type CallOutcome,
  type CallResult,
  type JsonObject,
} from '@gateway/call-contract';
import type { CatalogPrompt, CatalogTool } from '@gateway/catalog';
import type { ToolsetScope } from '../contract/meta-tool.ts';
import { type Refusal, createRefusalResult, createToolsetError } from '../contract/result.ts';
import { admitCall, admitTool, dispatchTool, refuseCall } from '../tools/call-tool.ts';
import { listToolsetItems, type Read } from '../scope/toolset-scope.ts';
import {
  refuse,
  type Found,
  type NativeContext,
  createRequestError,
  createUnknownNameError,
  findNativeResource,
  findNativeTemplate,
  toServerUri,
} from './native-resources.ts';
import type { CompletionReference, NativeAnswer } from './native-contract.ts';

type Answer = NativeAnswer | Promise<NativeAnswer>;

type Refused = NativeAnswer | undefined;

/** Returns a text that the endpoint has validated; any other value is no name. */
const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const toNativeAnswer =
  (what: string) =>
  (outcome: CallOutcome): NativeAnswer =>
    outcome.ok ? outcome : refuse(createRequestError(outcome, what));

const findTool = (
  params: JsonObject,
  context: NativeContext,
  admit: typeof admitTool,
): Read<CatalogTool> => {
  const name = readText(params['name']);
  const args = toObject(params['arguments']);
  return admit({ name, arguments: args }, context.index.tool(name), context);
};

const toNativeResult = (result: CallResult): NativeAnswer => ({ ok: true, result });

/** Refusals that an agent can learn from are results of the tool; that there is no such tool is the client's mistake. @spec §4.2 */
const refuseTool = (refusal: Refusal, { ports, call }: NativeContext): Answer => {
  if (refusal.code === 'tool.unknown') return refuse(createUnknownNameError('tool', refusal.name));
  const refused = refuseCall(refusal, call, ports);
  return refused instanceof Promise ? refused.then(toNativeResult) : toNativeResult(refused);
};

const callTool = (params: JsonObject, context: NativeContext): Answer => {
  const found = findTool(params, context, admitCall);
  if (!found.ok) return refuseTool(found.refusal, context);
  const { ports, call } = context;
  const args = toObject(params['arguments']);
  const tool = found.value;
  const { outcome } = dispatchTool({ tool, arguments: args, context: call }, ports);
  return outcome.then((done) => {
    if (done.ok) return done;
    if (done.error !== undefined) return refuse(done.error);
    return toNativeResult(createRefusalResult({ code: 'tool.failed', reason: done.text }, ports));
  });
};

const readResource = (params: JsonObject, context: NativeContext): Answer => {
  const uri = readText(params['uri']);
  const found = findNativeResource(uri, context);
  if (!found.ok) return found;
  const read = { server: found.item.server, uri: toServerUri(found.item, uri) };
  return context.ports.readResource(read, context.call).then(toNativeAnswer('Resource retrieval'));
};

const findPrompt = (name: string, { index, scope, ports }: NativeContext): Found<CatalogPrompt> => {
  const prompt = index.prompt(name);
  const [visible] = listToolsetItems(prompt === undefined ? [] : [prompt], { scope });
  if (visible !== undefined) return { ok: true, item: visible };
  if (scope === undefined) return refuse(createUnknownNameError('prompt', name));
  const toolset = scope.toolset.text;
  const refusal = { code: 'toolset.outside', kind: 'prompt', name, toolset } as const;
  return refuse(createToolsetError(refusal, ports));
};

const getPrompt = (params: JsonObject, context: NativeContext): Answer => {
  const found = findPrompt(readText(params['name']), context);
  if (!found.ok) return found;
  const { server, serverPrompt: prompt } = found.item;
  // The server refuses values that are not texts.
  const args = toObject(params['arguments']) as Readonly<Record<string, string>>;
  return context.ports
    .getPrompt({ server, prompt, arguments: args }, context.call)
    .then(toNativeAnswer('Prompt retrieval'));
};

interface Reference {
  readonly server: string;
  readonly ref: CompletionReference;
}

const findPromptReference = (name: string, context: NativeContext): Found<Reference> => {
  const found = findPrompt(name, context);
  if (!found.ok) return found;
  const { server, serverPrompt } = found.item;
  return { ok: true, item: { server, ref: { type: 'ref/prompt', name: serverPrompt } } };
};

const findResourceReference = (uri: string, context: NativeContext): Found<Reference> => {
  const found = findNativeTemplate(uri, context);
  if (!found.ok) return found;
  const { server } = found.item;
  const ref = { type: 'ref/resource', uri: toServerUri(found.item, uri) } as const;
  return { ok: true, item: { server, ref } };
};

const findReference = (params: JsonObject, context: NativeContext): Found<Reference> => {
  const ref = toObject(params['ref']);
  return ref['type'] === 'ref/resource'
    ? findResourceReference(readText(ref['uri']), context)
    : findPromptReference(readText(ref['name']), context);
};

const complete = (params: JsonObject, context: NativeContext): Answer => {
  const found = findReference(params, context);
  if (!found.ok) return found;
  const more = isJsonObject(params['context']) ? { context: params['context'] } : {};
  const question = { ...found.item, argument: toObject(params['argument']), ...more };
  return context.ports.complete(question, context.call).then(toNativeAnswer('Completion'));
};

const findRefusal = (found: Found<unknown>): NativeAnswer | undefined =>
  found.ok ? undefined : found;

/** Returns the refusal of a call that the toolset of its request does not select, by method; `undefined` for any other call. */
export const nativeRefusals: Readonly<
  Record<
    CallMethod,
    (params: JsonObject, context: NativeContext & { readonly scope: ToolsetScope }) => Refused
  >
> = {
  'tools/call': (params, context) => {
    const found = findTool(params, context, admitTool);
    return found.ok ? undefined : toNativeResult(createRefusalResult(found.refusal, context.ports));
  },
  'resources/read': (params, context) =>
    findRefusal(findNativeResource(readText(params['uri']), context)),
  'prompts/get': (params, context) => findRefusal(findPrompt(readText(params['name']), context)),
  'completion/complete': (params, context) => findRefusal(findReference(params, context)),
};

/** The handler of each method. */
export const nativeCalls: Readonly<
  Record<CallMethod, (params: JsonObject, context: NativeContext) => Answer>
> = {
  'tools/call': callTool,
  'resources/read': readResource,
  'prompts/get': getPrompt,
  'completion/complete': complete,
};
