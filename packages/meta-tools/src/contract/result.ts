import { type FilterError, formatError } from '@gateway/catalog';
import { quoteText } from '@gateway/toolset-grammar';
import { KEPT_RESULTS_URI, type MetaToolPorts, type ToolsetRefusalReason } from './meta-tool.ts';
import { type CallResult, RPC_CODE, type RpcError } from '@gateway/call-contract';
import { RawObject, storeSourceText, readMember } from '@gateway/mcp-wire';

/** The reason why a meta-tool refuses a request. Failures of toolsets carry the text of the package that owns it. */
export type Refusal =
  | { readonly code: 'meta-tool.unknown'; readonly name: string }
  | {
      readonly code: 'toolset.refused';
      readonly reason: ToolsetRefusalReason;
      readonly text: string;
    }
  | { readonly code: 'argument.missing'; readonly argument: string }
  | {
      readonly code: 'argument.unknown';
      readonly argument: string;
      /** The argument that was meant, or all of them. */
      readonly expected: readonly string[];
    }
  | { readonly code: 'argument.type'; readonly argument: string; readonly expected: string }
  | { readonly code: 'argument.too-small'; readonly argument: string; readonly minimum: number }
  | { readonly code: 'argument.too-long'; readonly argument: string; readonly maximum: number }
  | { readonly code: 'filter.refused'; readonly error: FilterError }
  | {
      readonly code: 'toolset.outside';
      readonly kind: ItemKind;
      readonly name: string;
      readonly toolset: string;
    }
  | { readonly code: 'tool.unknown'; readonly name: string }
  | {
      readonly code: 'tool.sign-in-required';
      readonly name: string;
      readonly server: string;
      /** The address at which the caller signs in, when there is one. */
      readonly link?: string | undefined;
    }
  | {
      /** The server had the tool before it went down, or may have it and receives no tokens. */
      readonly code: 'tool.unavailable';
      readonly name: string;
      readonly server: string;
      /** The `status.state` of the server, or why it receives no tokens. */
      readonly state: string;
    }
  | {
      /** The arguments do not fit the tool's own schema: the server was not asked. */
      readonly code: 'tool.arguments-invalid';
      readonly name: string;
      readonly problems: readonly string[];
      readonly signature: string;
    }
  | { readonly code: 'tool.failed'; readonly reason: string }
  | { readonly code: 'resource.unknown'; readonly uri: string }
  | {
      readonly code: 'resource.several-servers';
      readonly uri: string;
      readonly servers: readonly string[];
    }
  | { readonly code: 'resource.other-server'; readonly uri: string; readonly server: string }
  | { readonly code: 'resource.failed'; readonly reason: string }
  | { readonly code: 'resource.whole'; readonly uri: string }
  | { readonly code: 'prompt.unknown'; readonly name: string }
  | { readonly code: 'prompt.failed'; readonly reason: string };

/** The kind of thing that a name outside the toolset names. @spec §7.2 */
type ItemKind = 'tool' | 'resource' | 'prompt';

type RefusalByCode<C extends Refusal['code']> = Extract<Refusal, { code: C }>;

type Texts = { readonly [C in Refusal['code']]: (refusal: RefusalByCode<C>) => string };

/** Characters of an unknown argument that its refusal repeats. */
const MAX_SHOWN_ARGUMENT_CHARS = 100;

const texts: Texts = {
  'meta-tool.unknown': ({ name }) => `Unknown meta-tool: ${name}`,
  'toolset.refused': ({ text }) => text,
  'argument.missing': ({ argument }) => `${argument} argument is required`,
  'argument.unknown': ({ argument, expected }) => {
    const name = JSON.stringify(argument.slice(0, MAX_SHOWN_ARGUMENT_CHARS));
    return expected.length === 1
      ? `unknown argument ${name}; use ${JSON.stringify(expected[0])}`
      : `unknown argument ${name}; the arguments are ${expected.join(', ')}`;
  },
  'argument.type': ({ argument, expected }) => `${argument} must be ${expected}`,
  'argument.too-small': ({ argument, minimum }) =>
    `${argument} must be at least ${String(minimum)}`,
  'argument.too-long': ({ argument, maximum }) =>
    `${argument} must be at most ${String(maximum)} characters`,
  'filter.refused': ({ error }) => formatError(error),
  'toolset.outside': ({ kind, name, toolset }) =>
    `${kind} ${quoteText(name)} is outside the toolset ${toolset}`,
  'tool.unknown': ({ name }) => `Tool not found: ${name}`,
  'tool.sign-in-required': ({ name, server, link }) =>
    `tool ${quoteText(name)} requires sign-in to server ${quoteText(server)}; ${link === undefined ? `sign in with core_auth_login(server=${quoteText(server)})` : `open ${link}`} and call the tool again`,
  'tool.unavailable': ({ name, server, state }) =>
    `tool ${quoteText(name)} is not available: server ${quoteText(server)} is ${state}`,
  'tool.arguments-invalid': ({ name, problems, signature }) =>
    `Invalid arguments of ${name}: ${problems.join('; ')}. Signature: ${name}(${signature})`,
  'tool.failed': ({ reason }) => `Tool execution failed: ${reason}`,
  'resource.unknown': ({ uri }) => `Resource not found: ${uri}`,
  'resource.several-servers': ({ uri, servers }) =>
    `Resource ${uri} is exposed by servers ${servers.join(', ')}; the "server" argument is required`,
  'resource.other-server': ({ uri, server }) =>
    `Resource ${uri} is not available on server ${quoteText(server)}`,
  'resource.failed': ({ reason }) => `Resource retrieval failed: ${reason}`,
  'resource.whole': ({ uri }) =>
    `Resource ${uri} is read whole: offset, limit and path are for kept results (${KEPT_RESULTS_URI})`,
  'prompt.unknown': ({ name }) => `Prompt not found: ${name}`,
  'prompt.failed': ({ reason }) => `Prompt retrieval failed: ${reason}`,
};

/** Returns the sentence that describes a refusal to the caller. @spec §7.1, §7.2 */
export const formatRefusalText = <C extends Refusal['code']>(
  refusal: RefusalByCode<C> & { readonly code: C },
): string => texts[refusal.code](refusal);

/** A result of one text item that holds compact JSON. The value is written here, once, and so is the result. */
export const createJsonResult = (value: unknown): CallResult =>
  createTextResult(JSON.stringify(value));

/** A result of one text item that holds a member of a server's result as it came; `[]` when there is none. */
export const createMemberResult = (result: CallResult, name: string): CallResult => {
  if (result instanceof RawObject) return createTextResult(result.member(name) ?? '[]');
  return createJsonResult(readMember(result, name) ?? []);
};

/** A result of one text item. The result is written here, once. */
export const createTextResult = (text: string): CallResult => {
  const result = { content: [{ type: 'text', text }] };
  const json = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
  return storeSourceText(result, json);
};

type RefusalListener = Pick<MetaToolPorts, 'onToolsetRefusal'>;

/** Reports a refusal because of the toolset; does nothing for any other refusal. */
const reportToolsetRefusal = (refusal: Refusal, ports: RefusalListener): void => {
  if (refusal.code === 'toolset.outside') ports.onToolsetRefusal('outside');
  else if (refusal.code === 'toolset.refused') ports.onToolsetRefusal(refusal.reason);
};

/**
 * Returns a failed result: one text item with one sentence. A refusal because of the toolset is reported through the ports,
 * once.
 */
export const createRefusalResult = (refusal: Refusal, ports: RefusalListener): CallResult => {
  reportToolsetRefusal(refusal, ports);
  return { content: [{ type: 'text', text: formatRefusalText(refusal) }], isError: true };
};

/**
 * Returns the error of a refusal because of the toolset, for a request whose result cannot carry it. The refusal is reported
 * through the ports, once.
 *
 * @spec §7.1, §7.2
 */
export const createToolsetError = (refusal: Refusal, ports: RefusalListener): RpcError => {
  reportToolsetRefusal(refusal, ports);
  return { code: RPC_CODE.invalidParams, message: formatRefusalText(refusal) };
};
