import { type FilterError, formatError } from '@gateway/catalog';
import { quoted } from '@gateway/toolset-grammar';
import type { ToolsetRefusalReason } from './ports.ts';

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
  | { readonly code: 'tool.failed'; readonly reason: string }
  | { readonly code: 'resource.unknown'; readonly uri: string }
  | {
      readonly code: 'resource.several-servers';
      readonly uri: string;
      readonly servers: readonly string[];
    }
  | { readonly code: 'resource.other-server'; readonly uri: string; readonly server: string }
  | { readonly code: 'resource.failed'; readonly reason: string }
  | { readonly code: 'prompt.unknown'; readonly name: string }
  | { readonly code: 'prompt.failed'; readonly reason: string };

/** The kind of thing that a name outside the toolset names. @spec §7.2 */
type ItemKind = 'tool' | 'resource' | 'prompt';

type RefusalOf<C extends Refusal['code']> = Extract<Refusal, { code: C }>;

type Texts = { readonly [C in Refusal['code']]: (refusal: RefusalOf<C>) => string };

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
    `${kind} ${quoted(name)} is outside the toolset ${toolset}`,
  'tool.unknown': ({ name }) => `Tool not found: ${name}`,
  'tool.sign-in-required': ({ name, server, link }) =>
    `tool ${quoted(name)} requires sign-in to server ${quoted(server)}; ${link === undefined ? `sign in with core_auth_login(server=${quoted(server)})` : `open ${link}`} and call the tool again`,
  'tool.unavailable': ({ name, server, state }) =>
    `tool ${quoted(name)} is not available: server ${quoted(server)} is ${state}`,
  'tool.failed': ({ reason }) => `Tool execution failed: ${reason}`,
  'resource.unknown': ({ uri }) => `Resource not found: ${uri}`,
  'resource.several-servers': ({ uri, servers }) =>
    `Resource ${uri} is exposed by servers ${servers.join(', ')}; the "server" argument is required`,
  'resource.other-server': ({ uri, server }) =>
    `Resource ${uri} is not available on server ${quoted(server)}`,
  'resource.failed': ({ reason }) => `Resource retrieval failed: ${reason}`,
  'prompt.unknown': ({ name }) => `Prompt not found: ${name}`,
  'prompt.failed': ({ reason }) => `Prompt retrieval failed: ${reason}`,
};

/** Returns the sentence that describes a refusal to the caller. @spec §7.1, §7.2 */
export const refusalText = <C extends Refusal['code']>(
  refusal: RefusalOf<C> & { readonly code: C },
): string => texts[refusal.code](refusal);
