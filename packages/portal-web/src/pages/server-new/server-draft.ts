import { type JsonObject, toText } from '@gateway/call-contract';
import { toResourceName } from '@gateway/client-config';

/** Where the value of a header or a variable is. */
export type ValueSource = 'text' | 'secret' | 'configmap';

/** A header or an environment variable in the form. */
export interface DraftValue {
  /** Distinguishes rows while they have no name. */
  readonly id: number;
  readonly name: string;
  readonly source: ValueSource;
  /** The value itself, or the key in the Secret or ConfigMap. */
  readonly value: string;
  /** The name of the Secret or ConfigMap. */
  readonly object: string;
}

/** The authentication of users at a remote server. @spec §2.6 auth */
export type DraftAuth = 'none' | 'oauth' | 'forward';

/** A new server as the form holds it. */
export interface ServerDraft {
  readonly kind: 'remote' | 'stdio';
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly transport: 'streamable-http' | 'sse';
  readonly auth: DraftAuth;
  readonly command: string;
  /** One argument per line. */
  readonly args: string;
  readonly values: readonly DraftValue[];
  readonly family: string;
  readonly instanceArg: string;
  readonly autoStart: boolean;
}

/** A form in which nothing is entered. */
export const EMPTY_DRAFT: ServerDraft = {
  kind: 'remote',
  name: '',
  description: '',
  url: '',
  transport: 'streamable-http',
  auth: 'none',
  command: '',
  args: '',
  values: [],
  family: '',
  instanceArg: '',
  autoStart: true,
};

/** Returns a field only where it has a text. */
const toTextField = (key: string, text: string): JsonObject =>
  text.trim() === '' ? {} : { [key]: text.trim() };

const AUTH: Readonly<Record<DraftAuth, JsonObject>> = {
  none: {},
  oauth: { auth: { type: 'oauth' } },
  forward: { auth: { type: 'oauth', forwardToken: true } },
};

/** Returns the values as text; names of others as own keys. */
export const toTextValues = (values: readonly DraftValue[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    values.filter(({ source }) => source === 'text').map(({ name, value }) => [name, value]),
  );

const listReferences = (values: readonly DraftValue[]): readonly JsonObject[] =>
  values.flatMap(({ name, source, object, value }) => {
    if (source === 'text') return [];
    const key = source === 'secret' ? 'secretKeyRef' : 'configMapKeyRef';
    return [{ name, [key]: { name: object, key: value } }];
  });

const createValueFields = (key: 'env' | 'headers', values: readonly DraftValue[]): JsonObject => {
  const texts = toTextValues(values);
  const referenced = listReferences(values);
  return {
    ...(Object.keys(texts).length > 0 && { [key]: texts }),
    ...(referenced.length > 0 && { [`${key}From`]: referenced }),
  };
};

const splitLines = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '');

const createTransportFields = (draft: ServerDraft): JsonObject => {
  if (draft.kind === 'remote')
    return {
      type: draft.transport,
      ...toTextField('url', draft.url),
      ...createValueFields('headers', draft.values),
      ...AUTH[draft.auth],
    };
  const args = splitLines(draft.args);
  return {
    type: 'stdio',
    ...toTextField('command', draft.command),
    ...(args.length > 0 && { args }),
    ...createValueFields('env', draft.values),
  };
};

/** Returns the arguments of `core_mcpserver_create`. Texts that are empty are left out. */
export const toDefinition = (draft: ServerDraft): JsonObject => ({
  name: draft.name.trim(),
  ...createTransportFields(draft),
  ...toTextField('description', draft.description),
  ...((draft.family.trim() !== '' || draft.instanceArg.trim() !== '') && {
    family: { name: draft.family.trim(), instanceArg: draft.instanceArg.trim() },
  }),
  autoStart: draft.autoStart,
});

/** The server at an address, as `core_mcpserver_detect` found it. */
export interface Detection {
  readonly isReachable: boolean;
  readonly transport: string;
  readonly requiresAuth: boolean;
  readonly serverName?: string;
  readonly serverVersion?: string;
  /** The sentence of the gateway. */
  readonly detail: string;
}

/** Reads an answer of `core_mcpserver_detect`. */
export const parseDetection = (answer: JsonObject): Detection => {
  const { serverName, serverVersion } = answer;
  return {
    isReachable: answer['reachable'] === true,
    transport: toText(answer['transport']),
    requiresAuth: answer['requiresAuth'] === true,
    ...(typeof serverName === 'string' && { serverName }),
    ...(typeof serverVersion === 'string' && { serverVersion }),
    detail: toText(answer['detail']),
  };
};

/** Returns a draft with what was detected. A name that the user entered stays. */
export const applyDetection = (draft: ServerDraft, found: Detection): ServerDraft => ({
  ...draft,
  ...((found.transport === 'sse' || found.transport === 'streamable-http') && {
    transport: found.transport,
  }),
  ...(found.requiresAuth && draft.auth === 'none' && { auth: 'oauth' as const }),
  ...(draft.name === '' && { name: toResourceName(found.serverName ?? '') }),
});

/** Returns a sentence about what was detected. */
export const formatDetection = ({
  isReachable,
  transport,
  requiresAuth,
  serverName,
  serverVersion,
  detail,
}: Detection): string => {
  if (!isReachable) return `No MCP server answers at this address: ${detail}`;
  const server = [serverName ?? 'An MCP server', serverVersion].filter(Boolean).join(' ');
  const access = requiresAuth ? ' It requires a sign-in.' : '';
  return `${server} answers over ${transport}.${access}`;
};
