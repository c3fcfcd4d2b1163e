import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useReturnedFocus } from '../../display/lost-focus.ts';
import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { ResultJson } from './result-text.tsx';
import type { ToolDetail } from './tool-detail.ts';

interface ConfirmationProps {
  readonly name: string;
  readonly args: JsonObject;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const Confirmation = ({ name, args, onConfirm, onClose }: ConfirmationProps): ReactNode => {
  useReturnedFocus();
  return (
    <Modal opened onClose={onClose} title="Call a destructive tool?">
      <Stack>
        <Text>
          <bdi>{name}</bdi> may delete or overwrite something. It is called with:
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
export interface ConfirmedCall {
  readonly start: (args: JsonObject) => void;
  readonly confirmation: ReactNode;
}

/** Starts the calls of a tool; those of a destructive tool only after the person has confirmed the arguments. */
export const useConfirmedCall = (
  tool: Pick<ToolDetail, 'name' | 'isDestructive'> | undefined,
  start: (args: JsonObject) => void,
): ConfirmedCall => {
  const [waiting, setWaiting] = useState<JsonObject>();
  const close = (): void => setWaiting(undefined);
  if (tool?.isDestructive !== true) return { start, confirmation: null };
  const confirmation = waiting !== undefined && (
    <Confirmation
      name={tool.name}
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
