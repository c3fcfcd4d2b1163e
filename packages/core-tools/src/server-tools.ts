import {
  ANONYMOUS,
  type JsonObject,
  type AcceptOutcome,
  type DetectOutcome,
  type ToolChange,
} from '@gateway/call-contract';
import {
  ASKS_OUTSIDE,
  compareNames,
  type CoreTool,
  defineCoreTool,
  ENDS_OR_REPLACES,
  createErrorResult,
  createObjectResult,
  READS,
  createSentenceResult,
  formatUtcTime,
} from './core-tool.ts';
import {
  type CoreCallContext,
  type CoreToolPorts,
  type RefusedServer,
  type RequestLoad,
  type TargetLoad,
  writeRefusalText,
  type ServerEntry,
} from './ports.ts';
import { withoutSecrets } from './redaction.ts';
import { SERVER_NAME } from './server-arguments.ts';
import {
  readRegistrant,
  toRuntimeFacts,
  toSignInState,
  formatStatusMessage,
} from './server-info.ts';

const MAX_TOOLS = 1000;
const MAX_TOOL_CHARS = 1024;
const MAX_SHOWN = 20;

/** Returns the names; `undefined` when the value is not a list of names. */
const parseNames = (tools: readonly unknown[]): readonly string[] | undefined => {
  const isName = (tool: unknown): tool is string =>
    typeof tool === 'string' && tool !== '' && tool.length <= MAX_TOOL_CHARS;
  return tools.length >= 1 && tools.length <= MAX_TOOLS && tools.every(isName) ? tools : undefined;
};

const listText = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return names.length > MAX_SHOWN ? `${shown} and ${String(names.length - MAX_SHOWN)} more` : shown;
};

/** Without changes, only the requested tools are known to be accepted. */
const formatAcceptance = (name: string, tools: readonly string[], areNamed: boolean): string =>
  tools.length === 0
    ? `MCP server '${name}' declares ${areNamed ? 'these' : 'its'} tools as they were accepted`
    : `Accepted what MCP server '${name}' declares of: ${listText(tools)}`;

const acceptResult = (name: string, outcome: AcceptOutcome, areNamed: boolean): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return createSentenceResult(formatAcceptance(name, outcome.tools, areNamed), {
        tools: outcome.tools,
        saved: outcome.unsaved !== true,
      });
    case 'unknown':
      return createErrorResult(`Failed to accept tools: MCP server ${name} not found`);
    case 'unknown-tools':
      return createErrorResult(
        `Failed to accept tools: MCP server ${name} has no tools named ${listText(outcome.tools)}`,
        { tools: outcome.tools },
      );
    case 'failed':
      return createErrorResult(`Failed to accept tools: ${outcome.text}`);
  }
};

/** The tool that accepts the present declarations of a server; later changes are reported against them. */
export const acceptTool: CoreTool = defineCoreTool({
  name: 'core_mcpserver_accept',
  description:
    'Accept the present tool declarations of an MCP server: the changes that core_mcpserver_get shows, and read-only hints that are held back.',
  annotations: ENDS_OR_REPLACES,
  arguments: {
    name: SERVER_NAME,
    tools: {
      type: 'array',
      required: false,
      description: "The server's own names of tools; all when absent",
      schema: { items: { type: 'string' }, minItems: 1, maxItems: MAX_TOOLS },
    },
  },
  run: async ({ name, tools }, ports) => {
    if (tools === undefined) return acceptResult(name, await ports.acceptTools(name), false);
    const names = parseNames(tools);
    return names === undefined
      ? createErrorResult('tools must be an array of 1 to 1000 names')
      : acceptResult(name, await ports.acceptTools(name, names), true);
  },
});

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 60;

const createDetectResult = (url: string, outcome: DetectOutcome): JsonObject => {
  switch (outcome.kind) {
    case 'found': {
      const { kind: _kind, ...facts } = outcome;
      return createObjectResult({ url, reachable: true, ...facts });
    }
    case 'none': {
      const { detail } = outcome;
      return createObjectResult({
        url,
        reachable: false,
        transport: 'unknown',
        requiresAuth: false,
        detail,
      });
    }
    case 'refused':
      return createErrorResult(`Failed to detect MCP server: ${outcome.detail}`);
  }
};

const validateHeaders = (headers: JsonObject): string | undefined => {
  const bad = Object.entries(headers).find(([, value]) => typeof value !== 'string');
  return bad === undefined ? undefined : `headers.${bad[0].slice(0, 100)} must be a string`;
};

/** A user and a password in a URL would be part of no request. */
const validateUrlUser = (url: string): string | undefined => {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' };
  return username === '' && password === ''
    ? undefined
    : 'url must not contain a user or a password: send them in headers';
};

/** The tool that detects the server at an address. */
export const detectTool: CoreTool = defineCoreTool({
  name: 'core_mcpserver_detect',
  description:
    'Find out whether a URL is an MCP server, over which transport, and whether it requires sign-in. Private addresses may be refused.',
  annotations: ASKS_OUTSIDE,
  arguments: {
    url: {
      type: 'string',
      required: true,
      description: 'http:// or https:// URL',
      maxUnits: 2048,
    },
    headers: {
      type: 'object',
      required: false,
      description: 'Headers to send; never shown',
      schema: { additionalProperties: { type: 'string' } },
    },
    timeout: {
      type: 'integer',
      required: false,
      description: 'Seconds to answer within',
      minimum: 1,
      maximum: MAX_SECONDS,
      default: DEFAULT_SECONDS,
    },
  },
  run: async ({ url, headers = {}, timeout = DEFAULT_SECONDS }, ports, { signal }) => {
    const refusal = validateHeaders(headers) ?? validateUrlUser(url);
    if (refusal !== undefined) return createErrorResult(refusal);
    const question = {
      url,
      headers: headers as Readonly<Record<string, string>>,
      timeoutMs: timeout * 1000,
    };
    const outcome = await ports.detect(question, signal ?? new AbortController().signal);
    return createDetectResult(String(withoutSecrets(url)), outcome);
  },
});

/** Empty maps and lists are omitted, because they equal absent ones. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** `type` comes first, because it determines the other fields. */
const toDefinitionInfo = ({ definition }: ServerEntry): JsonObject => {
  const { type, ...fields } = definition.spec;
  const shown = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return withoutSecrets({ type, ...Object.fromEntries(shown) }) as JsonObject;
};

/** Returns one server for display: its labels, its definition without secrets, and its state. */
const toServerInfo = (view: ServerEntry, show: { readonly error: boolean }): JsonObject => {
  const statusMessage = formatStatusMessage(view);
  const { labels } = view.definition.metadata;
  return {
    name: view.name,
    ...toDefinitionInfo(view),
    ...(!isEmpty(labels) && { labels }),
    state: view.state,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(show.error && view.reason !== undefined && { error: view.reason }),
    ...toRuntimeFacts(view),
  };
};

const changeInfo = ({ at, ...change }: ToolChange): JsonObject => ({
  ...change,
  at: formatUtcTime(at),
});

/** Returns why the caller may not change servers, so that a client offers no change that is refused; nothing for a caller who may. */
const createWriteRefusal = (
  { mayWrite }: CoreToolPorts,
  { principal = ANONYMOUS }: CoreCallContext,
): JsonObject =>
  mayWrite(principal, 'gateway')
    ? {}
    : { writeRefusal: writeRefusalText('every change of a server', 'gateway', principal) };

/** Returns the details that are shown for a single server only. @spec §2.6 status */
const toDetails = ({ health, status, toolChanges = [] }: ServerEntry): JsonObject => ({
  ...(health !== undefined && { health }),
  ...(toolChanges.length > 0 && { toolChanges: toolChanges.map(changeInfo) }),
  ...(status !== undefined && { status }),
});

const toLoadInfo = ({ breaker, ...load }: TargetLoad): JsonObject => ({
  ...load,
  ...(breaker && {
    breaker: breaker.state,
    ...(breaker.nextAttemptAt !== undefined && {
      nextAttempt: formatUtcTime(breaker.nextAttemptAt),
    }),
  }),
});

/** Returns what the limits of a server do now. */
const toRequestInfo = (load: RequestLoad | undefined): JsonObject => {
  if (load === undefined) return {};
  const { tools, ...server } = load;
  return {
    requests: {
      ...toLoadInfo(server),
      ...(tools.length > 0 && { tools: tools.map(toLoadInfo) }),
    },
  };
};

/** Problems may quote the content of a file. */
const toRefusalInfo = ({ name, problems }: RefusedServer): JsonObject => ({
  name,
  problems: withoutSecrets(problems),
});

/** Returns why a server does not exist: it is not defined, or its definition is not valid. */
const createNotFoundResult = (ports: CoreToolPorts, name: string): JsonObject => {
  const text = `Failed to get MCP server: MCP server ${name} not found`;
  const refused = ports.refusedServers().find((server) => server.name === name);
  if (refused === undefined) return createErrorResult(text);
  const { problems } = toRefusalInfo(refused);
  return createErrorResult(
    `${text}: its definition cannot be used: ${String(refused.problems[0])}`,
    {
      problems,
    },
  );
};

const formatFailureHint = (hidden: number): string =>
  `(${String(hidden)} failed servers hidden, use showAll to show, verbose for details)`;

const listServers = (
  ports: CoreToolPorts,
  { showAll, verbose }: { readonly showAll: boolean; readonly verbose: boolean },
  context: CoreCallContext,
): JsonObject => {
  const refused = ports.refusedServers().map(toRefusalInfo);
  const servers = ports.servers().toSorted(compareNames);
  const shown = showAll ? servers : servers.filter(({ state }) => state !== 'Failed');
  const hidden = servers.length - shown.length;
  return {
    mcpServers: shown.map((view) => ({
      ...toServerInfo(view, { error: verbose }),
      ...readRegistrant(ports, view),
      ...toSignInState(view.name, ports, context),
    })),
    total: shown.length,
    mode: ports.mode,
    ...createWriteRefusal(ports, context),
    ...(hidden > 0 && { hiddenFailed: hidden, hint: formatFailureHint(hidden) }),
    ...(refused.length > 0 && { refused }),
  };
};

/** The tools about `MCPServer` resources. @spec §2.6 */
export const mcpServerTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_mcpserver_list',
    description: 'List the MCP servers behind the gateway with their state.',
    annotations: READS,
    arguments: {
      showAll: {
        type: 'boolean',
        required: false,
        description: 'Include failed servers (default false)',
      },
      verbose: {
        type: 'boolean',
        required: false,
        description: 'Include why a server failed (default false)',
      },
    },
    run: ({ showAll = false, verbose = false }, ports, context) =>
      createObjectResult(listServers(ports, { showAll, verbose }, context)),
  }),
  defineCoreTool({
    name: 'core_mcpserver_get',
    description:
      'Show one MCP server: its definition, state, last error, conditions, and tools whose declaration changed.',
    annotations: READS,
    arguments: { name: SERVER_NAME },
    run: ({ name }, ports, context) => {
      const view = ports.servers().find((server) => server.name === name);
      return view === undefined
        ? createNotFoundResult(ports, name)
        : createObjectResult({
            ...toServerInfo(view, { error: true }),
            ...readRegistrant(ports, view),
            ...toSignInState(name, ports, context),
            ...toDetails(view),
            ...toRequestInfo(ports.requestLoad(name)),
            ...createWriteRefusal(ports, context),
          });
    },
  }),
];
