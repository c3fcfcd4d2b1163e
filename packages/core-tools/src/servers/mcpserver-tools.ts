import { ANONYMOUS, type JsonObject } from '@gateway/call-contract';
import { READS } from '../tool/annotations.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import { byName } from '../tool/by-name.ts';
import type {
  CoreCallContext,
  CoreToolPorts,
  RefusedServer,
  ServerView,
  ToolChange,
} from '../tool/ports.ts';
import { writeRefusalText } from '../tool/write-access.ts';
import { withoutSecrets } from '../secrets/redaction.ts';
import { failedResult, objectResult } from '../tool/result.ts';
import { registeredBy } from './registered-by.ts';
import { runtimeOf, signInOf, statusMessageOf } from './server-info.ts';
import { SERVER_NAME } from './definition-arguments.ts';
import { timeText } from '../tool/time-text.ts';

/** Empty maps and lists are omitted, because they equal absent ones. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** `type` comes first, because it determines the other fields. */
const definitionInfo = ({ definition }: ServerView): JsonObject => {
  const { type, ...fields } = definition.spec;
  const shown = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return withoutSecrets({ type, ...Object.fromEntries(shown) }) as JsonObject;
};

/** Returns one server for display: its labels, its definition without secrets, and its state. */
const serverInfo = (view: ServerView, show: { readonly error: boolean }): JsonObject => {
  const statusMessage = statusMessageOf(view);
  const { labels } = view.definition.metadata;
  return {
    name: view.name,
    ...definitionInfo(view),
    ...(!isEmpty(labels) && { labels }),
    state: view.state,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(show.error && view.reason !== undefined && { error: view.reason }),
    ...runtimeOf(view),
  };
};

const changeInfo = ({ at, ...change }: ToolChange): JsonObject => ({
  ...change,
  at: timeText(at),
});

/** Returns why the caller may not change servers, so that a client offers no change that is refused; nothing for a caller who may. */
const writeRefusalOf = (
  { mayWrite }: CoreToolPorts,
  { principal = ANONYMOUS }: CoreCallContext,
): JsonObject =>
  mayWrite(principal, 'gateway')
    ? {}
    : { writeRefusal: writeRefusalText('every change of a server', 'gateway', principal) };

/** Returns the details that are shown for a single server only. @spec §2.6 status */
const detailsOf = ({ health, status, toolChanges = [] }: ServerView): JsonObject => ({
  ...(health !== undefined && { health }),
  ...(toolChanges.length > 0 && { toolChanges: toolChanges.map(changeInfo) }),
  ...(status !== undefined && { status }),
});

/** Problems may quote the content of a file. */
const refusedInfo = ({ name, problems }: RefusedServer): JsonObject => ({
  name,
  problems: withoutSecrets(problems),
});

/** Returns why a server does not exist: it is not defined, or its definition is not valid. */
const notFound = (ports: CoreToolPorts, name: string): JsonObject => {
  const text = `Failed to get MCP server: MCP server ${name} not found`;
  const refused = ports.refusedServers().find((server) => server.name === name);
  if (refused === undefined) return failedResult(text);
  const { problems } = refusedInfo(refused);
  return failedResult(`${text}: its definition cannot be used: ${String(refused.problems[0])}`, {
    problems,
  });
};

const failedHint = (hidden: number): string =>
  `(${String(hidden)} failed servers hidden, use showAll to show, verbose for details)`;

const listServers = (
  ports: CoreToolPorts,
  { showAll, verbose }: { readonly showAll: boolean; readonly verbose: boolean },
  context: CoreCallContext,
): JsonObject => {
  const refused = ports.refusedServers().map(refusedInfo);
  const servers = ports.servers().toSorted(byName);
  const shown = showAll ? servers : servers.filter(({ state }) => state !== 'Failed');
  const hidden = servers.length - shown.length;
  return {
    mcpServers: shown.map((view) => ({
      ...serverInfo(view, { error: verbose }),
      ...registeredBy(ports, view),
      ...signInOf(view.name, ports, context),
    })),
    total: shown.length,
    mode: ports.mode,
    ...writeRefusalOf(ports, context),
    ...(hidden > 0 && { hiddenFailed: hidden, hint: failedHint(hidden) }),
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
      objectResult(listServers(ports, { showAll, verbose }, context)),
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
        ? notFound(ports, name)
        : objectResult({
            ...serverInfo(view, { error: true }),
            ...registeredBy(ports, view),
            ...signInOf(name, ports, context),
            ...detailsOf(view),
            ...writeRefusalOf(ports, context),
          });
    },
  }),
];
