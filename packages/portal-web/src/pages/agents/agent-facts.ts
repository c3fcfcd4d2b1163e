import type { Agent } from '@gateway/agent-manager-client';
import {
  type CatalogServer,
  listUnknownPresets,
  type PresetCards,
} from '@gateway/toolset-composer';
import { useServerList } from '../../queries/catalog.ts';
import { usePresets } from '../../queries/toolsets.ts';

interface StateLook {
  readonly text: string;
  readonly color: string;
  /** Explains a state that is not clear without more words. */
  readonly title?: string;
}

/** Returns the state of an agent, the same in lists and on its page. */
export const toAgentState = ({ ready, exists, helmRelease }: Agent): StateLook => {
  if (helmRelease?.deleting === true) return { text: 'Being deleted', color: 'orange' };
  if (helmRelease?.suspended === true) return { text: 'Suspended', color: 'orange' };
  if (ready !== null)
    return ready ? { text: 'Ready', color: 'teal' } : { text: 'Not ready', color: 'red' };
  return exists
    ? { text: 'Unknown', color: 'gray', title: 'Nothing reports whether this agent runs.' }
    : {
        text: 'Not installed',
        color: 'gray',
        title: 'Its release is stored, and no cluster has installed it yet.',
      };
};

/** What manages an agent. */
export const MANAGED: Readonly<Record<Agent['managed'], string>> = {
  helmrelease: 'agent-manager',
  gitops: 'a Git repository',
  none: 'nothing: it has no release',
};

const SERVER_PREFIX = 'server:';

/**
 * Returns the selectors of a toolset that name a preset, or a server or family, that does not exist. Names are known when the gateway has
 * answered.
 */
export const listUnknownSelectors = (
  toolset: readonly string[],
  presets: PresetCards,
  servers: readonly CatalogServer[],
): readonly string[] => {
  const known = new Set(servers.flatMap(({ name, family }) => [name, family]));
  return [
    ...listUnknownPresets(toolset, presets),
    ...toolset.filter(
      (selector) =>
        servers.length > 0 &&
        selector.startsWith(SERVER_PREFIX) &&
        !known.has(selector.slice(SERVER_PREFIX.length)),
    ),
  ];
};

/** Reads which selectors of a toolset name something that does not exist. */
export const useUnknownSelectors = (toolset: readonly string[]): readonly string[] =>
  listUnknownSelectors(toolset, usePresets(), useServerList());
