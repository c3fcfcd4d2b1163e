import { Card, Group, Stack, Title } from '@mantine/core';
import { ToolsetEditor } from '@gateway/portal-ui';
import { startFrom } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { useBackend } from '../../backend/backend-context.ts';
import type { ExplainedToolset } from '../../queries/use-explained-toolset.ts';
import { usePresets } from '../../queries/use-presets.ts';
import { ToolsetFacts } from './toolset-facts.tsx';

const Continuations = ({ toolset }: { readonly toolset: readonly string[] }): ReactNode => {
  const { hasAgentManager } = useBackend().session;
  return (
    <Group gap="md">
      <PageLink to="/catalog" search={{ toolset: [...toolset] }} size="sm">
        Open in the catalog
      </PageLink>
      {hasAgentManager && (
        <PageLink to="/agents/new" search={{ toolset: [...toolset] }} size="sm">
          Create an agent with it
        </PageLink>
      )}
    </Group>
  );
};

/** One of the toolsets that are compared: its selectors, and what they resolve to. */
export const ToolsetSide = ({
  label,
  toolset,
  explained,
  onChange,
}: {
  readonly label: string;
  readonly toolset: readonly string[];
  readonly explained: ExplainedToolset;
  readonly onChange: (toolset: readonly string[]) => void;
}): ReactNode => {
  const { cards } = usePresets();
  return (
    <Card withBorder component="section" aria-label={label} aria-busy={explained.isUpdating}>
      <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
        <Title order={2} size="h5">
          {label}
        </Title>
        <ToolsetEditor
          composition={startFrom(toolset)}
          onChange={({ selectors }) => onChange(selectors)}
          presets={cards}
        />
        <ToolsetFacts {...explained} />
        {toolset.length > 0 && <Continuations toolset={toolset} />}
      </Stack>
    </Card>
  );
};
