import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import { valueOf } from '../client/result-text.ts';
import type { NameKind } from '../completion/completed-names.ts';
import { entriesOf, fieldText } from '../output/json-fields.ts';
import { isYamlName, withoutYamlEnding } from '../setup/yaml-name.ts';
import { callCoreTool, callMetaTool, withClient } from './request-gateway.ts';

/** The places of names. */
export interface NamesArguments {
  readonly url: string;
  /** The toolset in which tools and presets are listed. */
  readonly toolset?: string;
  readonly configDir?: string;
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

/** Reads the names of a kind. Rejects when they cannot be read. */
export const readNames = (
  kind: NameKind | 'presets',
  { configDir, ...place }: NamesArguments,
  io: CliIo,
): Promise<readonly string[]> => {
  if (kind === 'files') return filesIn(configDir ?? '.');
  return withClient({ ...place, io }, async (gateway) => {
    if (kind === 'tools')
      return namesOf(await callMetaTool(gateway, 'list_tools', { summary: true }), 'tools');
    if (kind === 'presets')
      return namesOf(await callMetaTool(gateway, 'filter_tools', PRESETS), 'presets');
    const { tool, list, args } = CORE_LISTS[kind];
    return namesOf(valueOf(await callCoreTool(gateway, tool, args)), list);
  });
};
