import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusReturn } from './focus.ts';

/** A command that changes something for everyone, and the question before it. */
export interface Question {
  readonly title: string;
  readonly consequence: string;
  /** Texts from outside, such as commands that will run. */
  readonly details?: readonly string[];
  readonly confirm: string;
}

/** Asks for the confirmation of a command. */
export const ConfirmCommand = ({
  question: { title, consequence, details = [], confirm },
  onConfirm,
  onCancel,
}: {
  readonly question: Question;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}): ReactNode => {
  useFocusReturn();
  return (
    <Modal opened onClose={onCancel} title={title}>
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>{consequence}</Text>
        {details.map((detail, at) => (
          <Code key={at} block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <bdi>{detail}</bdi>
          </Code>
        ))}
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
};
