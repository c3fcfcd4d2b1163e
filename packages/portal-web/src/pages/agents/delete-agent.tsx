import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Agent } from '@gateway/agent-manager-client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { showNotice } from '../../display/notice.ts';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';
import { isProtected } from './is-protected.ts';

const useDeletion = ({ namespace, name }: Agent) => {
  const agentManager = useAgentManager();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (force: boolean) =>
      answeredValue(
        await agentManager.deleteAgent({ namespace, name, ...(force && { force: true }) }),
      ),
    onSuccess: async () => {
      await navigate({ to: '/agents' });
      showNotice(`The agent ${namespace}/${name} is deleted.`);
      queries.removeQueries({ queryKey: ['agents', namespace, name] });
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
};

const Question = ({
  agent,
  onCancel,
}: {
  readonly agent: Agent;
  readonly onCancel: () => void;
}): ReactNode => {
  const deletion = useDeletion(agent);
  const [force, setForce] = useState(false);
  return (
    <Stack>
      <Text style={{ overflowWrap: 'anywhere' }}>
        The agent <bdi>{`${agent.namespace}/${agent.name}`}</bdi> and its release are deleted. This
        cannot be undone.
      </Text>
      {isProtected(agent) && (
        <Checkbox
          label="Delete it although a Git repository, or nothing, manages it or it is suspended"
          checked={force}
          onChange={({ currentTarget }) => setForce(currentTarget.checked)}
        />
      )}
      {deletion.error !== null && (
        <Alert color="red" role="alert">
          {deletion.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate(force)}>
          Delete
        </Button>
      </Group>
    </Stack>
  );
};

/** Deletes an agent after a question. */
export const DeleteAgent = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="light" color="red" onClick={open}>
        Delete
      </Button>
      <Modal opened={opened} onClose={close} title="Delete this agent?">
        <Question agent={agent} onCancel={close} />
      </Modal>
    </>
  );
};
