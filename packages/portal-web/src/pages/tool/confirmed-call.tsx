import type { JsonObject } from '@gateway/call-contract';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFocusReturn } from '../../display/focus.ts';
import { ResultJson } from './call-result.tsx';
import type { ToolDetail } from './tool-detail.ts';

/** A tool whose calls may have to be confirmed. */
type ToolToConfirm = Pick<ToolDetail, 'name' | 'isDestructive' | 'mayDestroy'>;

interface ConfirmationProps {
  readonly tool: ToolToConfirm;
  readonly args: JsonObject;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const Confirmation = ({ tool, args, onConfirm, onClose }: ConfirmationProps): ReactNode => {
  useFocusReturn();
  const { name, isDestructive } = tool;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isDestructive ? 'Call a destructive tool?' : 'Call a tool that may be destructive?'}
    >
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>{' '}
          {isDestructive
            ? 'may delete or overwrite something.'
            : 'does not say whether it deletes or overwrites something.'}{' '}
          It is called with:
        </Text>
        <ResultJson value={args} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Do not call
          </Button>
          <Button color="red" onClick={onConfirm}>
            Call
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

/** The start of a call, and the question to show while it waits for an answer. */
interface CallConfirmation {
  readonly start: (args: JsonObject) => void;
  readonly confirmation: ReactNode;
}

/** Starts the calls of a tool; those of a tool that may be destructive only after the person has confirmed the arguments. */
export const useCallConfirmation = (
  tool: ToolToConfirm | undefined,
  start: (args: JsonObject) => void,
): CallConfirmation => {
  const [waiting, setWaiting] = useState<JsonObject>();
  const close = (): void => setWaiting(undefined);
  if (tool?.mayDestroy !== true) return { start, confirmation: null };
  const confirmation = waiting !== undefined && (
    <Confirmation
      tool={tool}
      args={waiting}
      onConfirm={() => {
        close();
        start(waiting);
      }}
      onClose={close}
    />
  );
  return { start: setWaiting, confirmation };
};
