import '@mantine/spotlight/styles.css';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PAGES } from './pages.ts';
import { useBackend } from '../backend/backend.ts';
import { useServerList, useTools } from '../queries/catalog.ts';
import { useAgents } from '../queries/agents.ts';
import { usePresets } from '../queries/toolsets.ts';
import { useWorkflows } from '../pages/workflows/workflow-facts.ts';

const LIMIT = 40;

/** Returns everything that has a page, in groups. */
const useEverything = (): SpotlightActionGroupData[] => {
  const navigate = useNavigate();
  const { hasAgentManager } = useBackend().session;
  const { data: agents = [] } = useAgents();
  const { data: workflows = [] } = useWorkflows();
  const { data: tools } = useTools({});
  const servers = useServerList();
  const { cards } = usePresets();
  return [
    {
      group: 'Pages',
      actions: PAGES.filter(({ to }) => to !== '/agents' || hasAgentManager).map(
        ({ to, label }) => ({ id: to, label, onClick: () => void navigate({ to }) }),
      ),
    },
    {
      group: 'Servers',
      actions: servers.map(({ name }) => ({
        id: `server ${name}`,
        label: name,
        onClick: () => void navigate({ to: '/servers/$name', params: { name } }),
      })),
    },
    {
      group: 'Agents',
      actions: agents.map(({ namespace, name, displayName = name, description }) => ({
        id: `agent ${namespace}/${name}`,
        label: displayName,
        description: description ?? `${namespace}/${name}`,
        keywords: [namespace, name],
        onClick: () =>
          void navigate({ to: '/agents/$namespace/$name', params: { namespace, name } }),
      })),
    },
    {
      group: 'Workflows',
      actions: workflows.map(({ name, description }) => ({
        id: `workflow ${name}`,
        label: name,
        description,
        onClick: () => void navigate({ to: '/workflows/$workflow', params: { workflow: name } }),
      })),
    },
    {
      group: 'Presets',
      actions: cards.map(({ name, label, selector }) => ({
        id: `preset ${name}`,
        label,
        description: selector,
        onClick: () => void navigate({ to: '/presets/$preset', params: { preset: name } }),
      })),
    },
    {
      group: 'Tools',
      actions: (tools?.tools ?? []).map(({ name, description }) => ({
        id: `tool ${name}`,
        label: name,
        description,
        onClick: () => void navigate({ to: '/catalog/$tool', params: { tool: name } }),
      })),
    },
  ];
};

/** Finds every page, tool, server, agent, workflow and preset by its name. */
export const SearchEverything = (): ReactNode => (
  <Spotlight
    actions={useEverything()}
    shortcut={null}
    scrollable
    limit={LIMIT}
    nothingFound="Nothing has this name."
    searchProps={{ placeholder: 'Find anything', 'aria-label': 'Find anything' }}
  />
);

/** Opens the search. */
export const openSearch = (): void => spotlight.open();
