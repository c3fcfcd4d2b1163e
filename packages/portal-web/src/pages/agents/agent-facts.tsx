import { List, SimpleGrid, Spoiler, Stack, Text } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import { PageSection } from '../../display/page-section.tsx';

const SPOILER_PX = 120;

const MANAGED: Readonly<Record<Agent['managed'], string>> = {
  helmrelease: 'agent-manager',
  gitops: 'a Git repository',
  none: 'nothing: it has no release',
};

const Fact = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode => (
  <div>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Text component="div" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);

const Skills = ({ skills }: Pick<Agent, 'skills'>): ReactNode => {
  const images = skills?.refs ?? [];
  const folders = (skills?.gitRefs ?? []).map(
    ({ url, path, ref, name }) =>
      `${name ?? path ?? url} (${[url, path, ref].filter(Boolean).join(' · ')})`,
  );
  const all = [...images, ...folders];
  if (all.length === 0) return 'none';
  return (
    <List size="sm">
      {all.map((skill) => (
        <List.Item key={skill}>
          <bdi>{skill}</bdi>
        </List.Item>
      ))}
    </List>
  );
};

const LongText = ({ text }: { readonly text: string }): ReactNode => (
  <Spoiler maxHeight={SPOILER_PX} showLabel="Show all" hideLabel="Show less">
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <bdi>{text}</bdi>
    </Text>
  </Spoiler>
);

/** The fields of an agent other than its toolset. */
export const AgentFacts = ({ agent }: { readonly agent: Agent }): ReactNode => (
  <PageSection title="Agent">
    <Stack gap="sm">
      {agent.description !== undefined && <LongText text={agent.description} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Fact label="Model">
          <bdi>{agent.modelConfig ?? 'default'}</bdi>
        </Fact>
        <Fact label="Runtime">{agent.runtime ?? 'default'}</Fact>
        <Fact label="Managed by">{MANAGED[agent.managed]}</Fact>
        <Fact label="Chart">{agent.helmRelease?.chartVersion ?? 'unknown'}</Fact>
        <Fact label="Skills">
          <Skills skills={agent.skills} />
        </Fact>
      </SimpleGrid>
      {agent.systemMessage !== undefined && (
        <Fact label="System message">
          <LongText text={agent.systemMessage} />
        </Fact>
      )}
    </Stack>
  </PageSection>
);
