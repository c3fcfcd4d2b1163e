import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { showNotice } from '../../display/notice.ts';
import { useResolution } from '../../queries/use-resolution.ts';
import type { WizardState } from './wizard-state.ts';
import type { WizardTask } from './wizard-task.ts';

const useSubmission = ({ submit, draft, doneText }: WizardTask) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: submit,
    onSuccess: async (agent) => {
      const { namespace, name } = agent;
      draft.forget();
      // The page of the agent begins with what agent-manager has written.
      queries.setQueryData(['agents', namespace, name], agent);
      await navigate({ to: '/agents/$namespace/$name', params: { namespace, name } });
      showNotice(doneText);
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
};

/** A problem that agent-manager does not know: the gateway refuses the toolset. */
const RefusedToolset = ({ declared }: Pick<WizardState, 'declared'>): ReactNode => {
  const { state } = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  return state === 'unknown-preset' ? (
    <Alert color="orange" role="alert" title="The gateway does not know a preset of this toolset">
      It refuses every call of the agent until the preset is defined or removed from the toolset.
    </Alert>
  ) : null;
};

/** Writes the agent. Disabled until agent-manager accepts the draft as it is now. */
export const SubmitAgent = ({
  task,
  state: { input, validation, declared },
}: {
  readonly task: WizardTask;
  readonly state: WizardState;
}): ReactNode => {
  const submission = useSubmission(task);
  const [force, setForce] = useState(false);
  const isValid = validation.isCurrent && validation.verdict?.valid === true;
  return (
    <Stack gap="sm">
      {task.isProtected && (
        <Checkbox
          label="Write it although a Git repository, or nothing, manages it or it is suspended"
          checked={force}
          onChange={({ currentTarget }) => setForce(currentTarget.checked)}
        />
      )}
      <RefusedToolset declared={declared} />
      {submission.error !== null && (
        <Alert color="red" role="alert">
          {submission.error.message}
        </Alert>
      )}
      <Group>
        <Button
          disabled={!(isValid || force)}
          loading={submission.isPending}
          onClick={() => submission.mutate({ ...input, ...(force && { force }) })}
        >
          {task.submitLabel}
        </Button>
      </Group>
    </Stack>
  );
};
