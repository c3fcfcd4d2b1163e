import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import { valueOf } from '../client/result-text.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import type { ArgumentKind, NameKind } from '../completion/completed-names.ts';
import { entriesOf, fieldsOf, fieldText, listOf } from '../output/json-fields.ts';
import { isYamlName, withoutYamlEnding } from '../setup/yaml-name.ts';
import { callCoreTool, callMetaTool, withClient } from './request-gateway.ts';
import { toolOfWorkflow } from './workflows.ts';

/** The places of names. */
export interface NamesArguments {
  readonly url: string;
  /** The toolset in which tools and presets are listed. */
  readonly toolset?: string;
  readonly configDir?: string;
  /** The tool or workflow whose arguments are named. */
  readonly owner?: string;
}

const filesIn = async (configDir: string): Promise<readonly string[]> =>
  (await readdir(join(configDir, 'mcpservers'))).filter(isYamlName).map(withoutYamlEnding);

const CORE_LISTS = {
  servers: { tool: 'core_mcpserver_list', list: 'mcpServers', args: { showAll: true } },
  workflows: { tool: 'core_workflow_list', list: 'workflows', args: {} },
} as const;

const PRESETS = { include_presets: true, limit: 1 };

const namesOf = (value: unknown, list: string): readonly string[] =>
  entriesOf(value, list).map((entry) => fieldText(entry, 'name'));

/** Returns the names of the arguments of a tool, required ones first. */
const argumentsOf = (tool: unknown): readonly string[] => {
  const schema = fieldsOf(fieldsOf(tool)['inputSchema']);
  const names = Object.keys(fieldsOf(schema['properties']));
  const required = new Set(listOf(schema['required']));
  return [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
};

const readArguments = async (
  gateway: GatewayClient,
  kind: ArgumentKind,
  owner: string,
): Promise<readonly string[]> => {
  const name = kind === 'workflow-arguments' ? toolOfWorkflow(owner) : owner;
  return argumentsOf(await callMetaTool(gateway, 'describe_tool', { name }));
};

/** Reads the names of a kind. Rejects when they cannot be read. */
export const readNames = (
  kind: NameKind | 'presets',
  { configDir, owner = '', ...place }: NamesArguments,
  io: CliIo,
): Promise<readonly string[]> => {
  if (kind === 'files') return filesIn(configDir ?? '.');
  return withClient({ ...place, io }, async (gateway) => {
    if (kind === 'tools')
      return namesOf(await callMetaTool(gateway, 'list_tools', { summary: true }), 'tools');
    if (kind === 'presets')
      return namesOf(await callMetaTool(gateway, 'filter_tools', PRESETS), 'presets');
    if (kind === 'tool-arguments' || kind === 'workflow-arguments')
      return readArguments(gateway, kind, owner);
    const { tool, list, args } = CORE_LISTS[kind];
    return namesOf(valueOf(await callCoreTool(gateway, tool, args)), list);
  });
};
