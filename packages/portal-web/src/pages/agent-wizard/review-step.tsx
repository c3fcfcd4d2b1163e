import { Alert, List, Loader, Stack, Text, Title } from '@mantine/core';
import { ToolsetCard } from '@gateway/portal-ui';
import type { DeclaredAccess } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { useResolution } from '../../queries/use-resolution.ts';
import { ReleaseView } from '../agents/release-view.tsx';
import type { Validation } from './use-validation.ts';

const Verdict = ({
  validation: { verdict, error, isCurrent },
}: {
  readonly validation: Validation;
}): ReactNode => {
  if (error !== undefined) return null;
  if (verdict === undefined || !isCurrent)
    return <Loader size="sm" aria-label="Checking the agent" />;
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
            <bdi>{text}</bdi>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};

/** The last step of the wizard: the verdict of agent-manager, the toolset with what it resolves to, and the composed release. */
export const ReviewStep = ({
  name,
  declared,
  validation,
}: {
  readonly name: string;
  readonly declared: DeclaredAccess;
  readonly validation: Validation;
}): ReactNode => {
  const resolution = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  const manifests = validation.verdict?.manifests;
  return (
    <Stack>
      <Verdict validation={validation} />
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
