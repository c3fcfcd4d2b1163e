import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useAcceptance, type DeclaredTool } from './use-tool-changes.ts';

const Question = ({
  declared,
  onClose,
}: {
  readonly declared: DeclaredTool;
  readonly onClose: () => void;
}): ReactNode => {
  const acceptance = useAcceptance(declared, onClose);
  return (
    <Stack style={{ overflowWrap: 'anywhere' }}>
      <Text>
        The present declaration of <bdi>{declared.ownName}</bdi> at <bdi>{declared.server}</bdi>{' '}
        becomes the accepted one. Read its description, arguments and annotations first.
      </Text>
      {declared.pending?.isHeld === true && (
        <Text>The gateway then treats the tool as read-only, also in toolsets.</Text>
      )}
      {acceptance.error !== null && (
        <Alert color="red" role="alert">
          {acceptance.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button loading={acceptance.isPending} onClick={() => acceptance.mutate()}>
          Accept
        </Button>
      </Group>
    </Stack>
  );
};

/** Accepts the present declaration of a tool after a question. */
export const AcceptChange = ({ declared }: { readonly declared: DeclaredTool }): ReactNode => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={open}>
        Accept…
      </Button>
      <Modal opened={opened} onClose={close} title="Accept this declaration?">
        <Question declared={declared} onClose={close} />
      </Modal>
    </>
  );
};
