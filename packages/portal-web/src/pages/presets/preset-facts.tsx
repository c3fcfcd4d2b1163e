import type { Agent } from '@gateway/agent-manager-client';
import { isJsonObject, type JsonObject, toObject, toObjects } from '@gateway/call-contract';
import {
  type BuiltInPreset,
  type PresetCard,
  type ResolutionState,
  parseResolution,
  toPresetSelector,
} from '@gateway/toolset-composer';
import { Button } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/catalog.ts';
import { useToolAnswer } from '../../queries/core-tools.ts';

const PREFIX = 'preset:';

/** Returns the agents whose toolset names a preset. */
export const filterAgentsByPreset = (agents: readonly Agent[], name: string): readonly Agent[] => {
  const selector = toPresetSelector(name);
  return agents.filter(({ toolset }) => toolset?.includes(selector) === true);
};

/** Returns the presets that agents name and the gateway does not have, by name. Every call of such an agent is an error. @spec §7.1 */
export const listUnknownPresets = (
  agents: readonly Agent[],
  presets: readonly Pick<PresetCard, 'name'>[],
): readonly string[] => {
  const known = new Set(presets.map(({ name }) => name));
  const named = agents.flatMap(({ toolset }) => toolset ?? []);
  const names = named
    .filter((selector) => selector.startsWith(PREFIX))
    .map((selector) => selector.slice(PREFIX.length));
  return [...new Set(names)].filter((name) => !known.has(name)).toSorted();
};

/** A rule of a preset in words, with the name that it is about. @spec §2.2 */
export interface PresetRuleText {
  readonly text: string;
  /** Absent for a rule without a name. */
  readonly subject?: string;
  /** The preset that the rule includes. */
  readonly preset?: string;
}

/** The rules of a preset: the union of what it includes, without what it excludes. @spec §2.2 */
interface PresetRules {
  readonly include: readonly PresetRuleText[];
  readonly exclude: readonly PresetRuleText[];
}

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['tool', 'the tool'],
  ['pattern', 'every tool whose name matches'],
  ['server', 'every tool of the server'],
  ['workflow', 'the workflow'],
  ['label', 'every tool of servers with the label'],
  ['preset', 'everything of the preset'],
]);

const READ_ONLY: PresetRuleText = { text: 'every tool that declares itself read-only' };

/** The presets that every gateway has, in words. @spec §2.3 */
const BUILT_IN: Readonly<Record<BuiltInPreset, PresetRules>> = {
  'read-only': { include: [READ_ONLY], exclude: [] },
  none: { include: [], exclude: [] },
  full: { include: [{ text: 'every tool of the gateway' }], exclude: [] },
};

const isBuiltIn = (name: string): name is BuiltInPreset => Object.hasOwn(BUILT_IN, name);

/** A rule has one key. An unknown one is shown as it is written. */
const parseRule = (rule: JsonObject): PresetRuleText => {
  const [[key, value] = ['', undefined]] = Object.entries(rule);
  if (key === 'readOnly') return READ_ONLY;
  const subject = typeof value === 'string' ? value : JSON.stringify(value);
  return { text: TEXTS.get(key) ?? key, subject, ...(key === 'preset' && { preset: subject }) };
};

const parseRules = (value: unknown): readonly PresetRuleText[] => toObjects(value).map(parseRule);

/**
 * Returns the rules of a preset from an answer of `core_config_get_aggregator`; those of a built-in preset from the specification.
 * `undefined` for a preset that the configuration does not have.
 */
export const parsePresetRules = (answer: JsonObject, name: string): PresetRules | undefined => {
  const { toolsetPresets } = answer;
  if (!isJsonObject(toolsetPresets) || !Object.hasOwn(toolsetPresets, name))
    return isBuiltIn(name) ? BUILT_IN[name] : undefined;
  const preset = toolsetPresets[name];
  if (!isJsonObject(preset)) return undefined;
  return { include: parseRules(preset['include']), exclude: parseRules(preset['exclude']) };
};

const RULES_KEY = ['presets', 'rules'];

/** Reads the definition of a preset with its name; `undefined` for a built-in one, and for a user who may not read the configuration. */
export const usePresetDefinition = (name: string): JsonObject | undefined => {
  const { gateway } = useBackend();
  const { data } = useQuery({
    queryKey: RULES_KEY,
    queryFn: ({ signal }) => callCoreTool(gateway, 'core_config_get_aggregator', {}, { signal }),
  });
  const presets = toObject(data?.['toolsetPresets']);
  return Object.hasOwn(presets, name) ? { name, ...toObject(presets[name]) } : undefined;
};

/** Reads the rules of a preset, as far as the user may read the configuration. `null` for an unknown preset. @spec §2.2 */
export const usePresetRules = (name: string): UseQueryResult<PresetRules | null> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: RULES_KEY,
    queryFn: ({ signal }) => callCoreTool(gateway, 'core_config_get_aggregator', {}, { signal }),
    select: (answer) => parsePresetRules(answer, name) ?? null,
  });
};

/** Reads how many tools a selector selects for the user. @spec §4.3 */
export const useToolCount = (selector: string): UseQueryResult<ResolutionState> =>
  useToolAnswer({
    key: [CATALOG_KEY, 'count', selector],
    tool: 'filter_tools',
    args: { toolset: [selector], limit: 1 },
    parse: (answer) => parseResolution({ kind: 'answered', answer }),
  });

/** Opens the wizard for an agent with a toolset of one selector; nothing in a portal without agent-manager. */
export const ComposeLink = ({ selector }: { readonly selector: string }): ReactNode => {
  const { session } = useBackend();
  if (!session.hasAgentManager) return null;
  return (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => (
        <Link to="/agents/new" search={{ step: 'Tools', toolset: [selector] }} {...props} />
      )}
    >
      Compose with this preset
    </Button>
  );
};
