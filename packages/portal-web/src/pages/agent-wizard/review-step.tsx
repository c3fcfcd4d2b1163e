import { ToolsetCard } from '@gateway/portal-ui';
import { Alert, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import { LongText } from '../../display/text-blocks.tsx';
import type { AgentChange } from './agent-form.ts';
import { toPlainSentence } from './field-problems.ts';
import type { Validation, WizardState } from './wizard-state.ts';
import { ReleaseView } from '../agents/agent-parts.tsx';
import { useResolution } from '../../queries/toolsets.ts';

const Value = ({ text }: { readonly text: string }): ReactNode =>
  text === '' ? <Text size="sm">–</Text> : <LongText text={text} />;

const COLUMNS: readonly RecordColumn<AgentChange>[] = [
  { label: 'Part', render: ({ label }) => label },
  { label: 'Now', render: ({ before }) => <Value text={before} /> },
  { label: 'After', render: ({ after }) => <Value text={after} /> },
];

/** The parts of an agent that a change writes, with their values before and after. */
const ChangeList = ({ changes }: { readonly changes: readonly AgentChange[] }): ReactNode => (
  <Stack gap="xs" component="section" aria-label="Changes">
    <Title order={3} size="h5">
      Changes
    </Title>
    {changes.length === 0 ? (
      <Text size="sm">Nothing changes: every field and selector stays as it is.</Text>
    ) : (
      <>
        <RecordTable
          label="Changes"
          records={changes}
          recordKey={({ label }) => label}
          columns={COLUMNS}
        />
        <Text size="sm">
          Of the skills and the toolset, only what is removed and what is added is listed.
        </Text>
      </>
    )}
  </Stack>
);

const Verdict = ({
  validation: { verdict, error, isCurrent },
}: {
  readonly validation: Validation;
}): ReactNode => {
  if (error !== undefined) return null;
  if (verdict === undefined || !isCurrent) return <LoadingSign label="Checking the agent" />;
  if (verdict.valid)
    return (
      <Text role="status" size="sm">
        agent-manager accepts this agent.
      </Text>
    );
  return (
    <Alert color="red" role="alert" title="agent-manager refuses this agent">
      <List size="sm">
        {(verdict.errors ?? []).map((text) => (
          <List.Item key={text}>
            <bdi>{toPlainSentence(text)}</bdi>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};

/** The last step of the wizard: the verdict of agent-manager, what changes, the toolset with what it resolves to, and the composed release. */
export const ReviewStep = ({
  name,
  state: { declared, validation, changes },
}: {
  readonly name: string;
  readonly state: Pick<WizardState, 'declared' | 'validation' | 'changes'>;
}): ReactNode => {
  const resolution = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  const manifests = validation.verdict?.manifests;
  return (
    <Stack>
      <Verdict validation={validation} />
      {changes !== undefined && <ChangeList changes={changes} />}
      <ToolsetCard declared={declared} resolution={resolution} />
      {manifests !== undefined && (
        <Stack gap="xs" component="section" aria-label="Release">
          <Title order={3} size="h5">
            Release
          </Title>
          <Text size="sm">
            Apply it here, or download it and commit it to a Git repository instead.
          </Text>
          <ReleaseView name={name} manifests={manifests} />
        </Stack>
      )}
    </Stack>
  );
};
