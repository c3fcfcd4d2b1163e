import type { JsonObject } from '@gateway/call-contract';
import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirmation } from '../../display/confirmation.tsx';
import { ResultJson } from './call-result.tsx';
import type { ToolDetail } from './tool-detail.ts';

/** A tool whose calls may have to be confirmed. */
type ToolToConfirm = Pick<ToolDetail, 'name' | 'isDestructive' | 'mayDestroy'>;

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
  if (tool?.mayDestroy !== true) return { start, confirmation: null };
  const { name, isDestructive } = tool;
  const confirmation = waiting !== undefined && (
    <Confirmation
      title={isDestructive ? 'Call a destructive tool?' : 'Call a tool that may be destructive?'}
      confirm="Call"
      cancel="Do not call"
      onConfirm={() => {
        setWaiting(undefined);
        start(waiting);
      }}
      onCancel={() => setWaiting(undefined)}
    >
      <Text>
        <bdi>{name}</bdi>{' '}
        {isDestructive
          ? 'may delete or overwrite something.'
          : 'does not say whether it deletes or overwrites something.'}{' '}
        It is called with:
      </Text>
      <ResultJson value={waiting} />
    </Confirmation>
  );
  return { start: setWaiting, confirmation };
};
