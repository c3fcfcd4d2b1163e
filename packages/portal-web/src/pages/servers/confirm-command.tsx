import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A command that changes something for everyone, and the question before it. */
export interface Question {
  readonly title: string;
  readonly consequence: string;
  readonly confirm: string;
}

/** Asks for the confirmation of a command. */
export const ConfirmCommand = ({
  question: { title, consequence, confirm },
  onConfirm,
  onCancel,
}: {
  readonly question: Question;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}): ReactNode => (
  <Modal opened onClose={onCancel} title={title}>
    <Stack>
      <Text style={{ overflowWrap: 'anywhere' }}>{consequence}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
