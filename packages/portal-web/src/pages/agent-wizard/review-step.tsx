import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { ToolsetCard } from '@gateway/portal-ui';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { useResolution } from '../../queries/use-resolution.ts';
import { ReleaseView } from '../agents/release-view.tsx';
import { ChangeList } from './change-list.tsx';
import { plainSentence } from './plain-sentence.ts';
import type { Validation } from './use-validation.ts';
import type { WizardState } from './wizard-state.ts';

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
            <bdi>{plainSentence(text)}</bdi>
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
