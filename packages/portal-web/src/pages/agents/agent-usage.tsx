import type { Agent } from '@gateway/agent-manager-client';
import { type ListedTool, MAX_INLINE_SELECTORS, readTools } from '@gateway/toolset-composer';
import { Group, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { stringify } from 'yaml';
import { useBackend } from '../../backend/backend.ts';
import { Loaded } from '../../display/loading.tsx';
import { formatCount, PageLink, PageSection } from '../../display/page-parts.tsx';
import { YamlText } from '../../display/text-blocks.tsx';
import { callMetaTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/catalog.ts';
import { usePresets } from '../../queries/toolsets.ts';
import { type Usage, useUsage } from '../../queries/usage.ts';
import { UsageTable } from '../usage/usage-page.tsx';

/** The tools that a preset selects. */
interface PresetTools {
  readonly name: string;
  readonly tools: readonly string[];
}

/** Returns the preset with the fewest tools that has all of these; `undefined` when none has. */
export const findSmallestPreset = (
  used: readonly string[],
  presets: readonly PresetTools[],
): PresetTools | undefined =>
  presets
    .filter(({ tools }) => {
      const has = new Set(tools);
      return used.every((tool) => has.has(tool));
    })
    .toSorted((one, other) => one.tools.length - other.tools.length)[0];

const MAX_TOOLS = 5_000;

/** Reads the tools of all presets, for the reader; `undefined` until all are known. */
const usePresetTools = (): readonly PresetTools[] | undefined => {
  const { gateway } = useBackend();
  const { cards } = usePresets();
  return useQueries({
    queries: cards.map(({ name, selector }) => ({
      queryKey: [CATALOG_KEY, 'preset-tools', selector],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<PresetTools> => {
        const args = { toolset: [selector], limit: MAX_TOOLS };
        const tools = readTools(await callMetaTool(gateway, 'filter_tools', args, { signal }));
        return { name, tools: tools.map((tool) => tool.name) };
      },
    })),
    combine: (answers) =>
      answers.every(({ data }) => data !== undefined)
        ? answers.flatMap(({ data }) => data ?? [])
        : undefined,
  });
};

const formatPreset = (name: string, tools: readonly string[]): string =>
  stringify({ toolsetPresets: { [name]: { include: tools.map((tool) => ({ tool })) } } });

/** The smallest preset with the tools that an agent used, and the definition of one that has nothing else. */
const Proposal = ({
  agent: { namespace, name },
  used,
  count,
}: {
  readonly agent: Agent;
  readonly used: readonly string[];
  /** The number of tools that its toolset selects now. */
  readonly count: number;
}): ReactNode => {
  const presets = usePresetTools();
  if (used.length === 0) return null;
  const smallest = presets && findSmallestPreset(used, presets);
  return (
    <PageSection title="A smaller toolset">
      <Text size="sm">
        {`It used ${used.length} of its ${formatCount(count, 'tool')}. `}
        {smallest !== undefined && smallest.tools.length < count && (
          <>
            The smallest preset that has them is{' '}
            <PageLink to="/presets/$preset" params={{ preset: smallest.name }} inherit>
              <bdi>{smallest.name}</bdi>
            </PageLink>
            {`, with ${formatCount(smallest.tools.length, 'tool')}. `}
          </>
        )}
        A preset with nothing else:
      </Text>
      <YamlText
        label="Preset as YAML"
        text={formatPreset(name, used)}
        action={
          used.length <= MAX_INLINE_SELECTORS && (
            <PageLink
              to="/agents/$namespace/$name/edit"
              params={{ namespace, name }}
              search={{ step: 'Tools', toolset: used.map((tool) => `tool:${tool}`) }}
              size="sm"
            >
              Edit the agent with these tools
            </PageLink>
          )
        }
      />
    </PageSection>
  );
};

const Unused = ({
  usage,
  tools,
}: {
  readonly usage: Usage;
  readonly tools: readonly ListedTool[];
}): ReactNode => {
  const used = new Set(usage.rows.map(({ name }) => name));
  const unused = tools.filter(({ name }) => !used.has(name));
  return (
    <PageSection title={`Not used in 30 days (${unused.length})`}>
      <Group gap="xs">
        {unused.map(({ name }) => (
          <PageLink key={name} to="/catalog/$tool" params={{ tool: name }} size="xs" ff="monospace">
            <bdi>{name}</bdi>
          </PageLink>
        ))}
      </Group>
    </PageSection>
  );
};

const HOURS = 720;

/** Which of its tools an agent used in 30 days, which it did not use, and the smallest preset with the former. */
export const AgentUsage = ({
  agent,
  tools,
}: {
  readonly agent: Agent;
  /** What its toolset selects for the reader. */
  readonly tools: readonly ListedTool[];
}): ReactNode => {
  const question = { hours: HOURS, by: 'tool', toolset: (agent.toolset ?? []).join(',') } as const;
  const query = useUsage(question);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Calls with the toolset of this agent in the last 30 days. Agents with the same toolset are
        counted together.
      </Text>
      <UsageTable question={question} />
      <Loaded query={query}>
        {(usage) => (
          <>
            <Proposal
              agent={agent}
              used={usage.rows.map(({ name }) => name)}
              count={tools.length}
            />
            <Unused usage={usage} tools={tools} />
          </>
        )}
      </Loaded>
    </Stack>
  );
};
