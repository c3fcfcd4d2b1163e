import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusReturn } from './focus.ts';
import { Failure } from './loading.tsx';
import { TextCode } from './text-blocks.tsx';

/** A question before something that cannot be undone, or that concerns everyone. */
export interface Question {
  readonly title: string;
  readonly consequence?: string;
  /** Texts from outside, such as commands that will run. */
  readonly details?: readonly string[];
  /** The text of the button that confirms. */
  readonly confirm: string;
}

/** The dialog of a question. */
export const Confirmation = ({
  title,
  consequence,
  details = [],
  confirm,
  cancel = 'Cancel',
  mutation: { isPending, error } = { isPending: false, error: null },
  onConfirm,
  onCancel,
  children,
  ...look
}: Question & {
  readonly cancel?: string;
  readonly color?: 'indigo';
  /** The action that follows the confirmation while the dialog stays open. */
  readonly mutation?: { readonly isPending: boolean; readonly error: Error | null };
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}): ReactNode => {
  useFocusReturn();
  return (
    <Modal opened onClose={onCancel} title={title}>
      <Stack style={{ overflowWrap: 'anywhere' }}>
        {consequence !== undefined && <Text>{consequence}</Text>}
        {details.map((detail, at) => (
          <TextCode key={at} text={detail} />
        ))}
        {children}
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus>
            {cancel}
          </Button>
          <Button color="red" {...look} loading={isPending} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
