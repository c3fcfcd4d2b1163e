import { List, SimpleGrid, Stack } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import { Fact } from '../../display/fact.tsx';
import { LongText } from '../../display/long-text.tsx';
import { PageSection } from '../../display/page-section.tsx';
import { skillText } from './skill-text.ts';

const MANAGED: Readonly<Record<Agent['managed'], string>> = {
  helmrelease: 'agent-manager',
  gitops: 'a Git repository',
  none: 'nothing: it has no release',
};

const Skills = ({ skills }: Pick<Agent, 'skills'>): ReactNode => {
  const images = skills?.refs ?? [];
  const folders = (skills?.gitRefs ?? []).map(skillText);
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
