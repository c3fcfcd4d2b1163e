import { Button, Group, Input } from '@mantine/core';
import { addText, formatError } from '@gateway/toolset-composer';
import { useId, useState, type ReactNode, type SubmitEvent } from 'react';
import type { ComposeProps } from './compose-props.ts';

const MAX_CHARS = 1_024;

/** Adds a selector that the person types. */
export const AddSelector = ({ composition, onChange }: ComposeProps): ReactNode => {
  const id = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const added = addText(composition, text);
    setProblem(added.ok ? undefined : formatError(added.error));
    if (!added.ok) return;
    onChange(added.value);
    setText('');
  };
  return (
    <form onSubmit={add} noValidate>
      <Input.Wrapper
        id={id}
        label="Add a selector by name"
        description="preset:, server:, workflow: or tool: with the exact name"
        error={problem}
      >
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Input
            id={id}
            flex={1}
            miw={0}
            maxLength={MAX_CHARS}
            autoComplete="off"
            spellCheck={false}
            value={text}
            error={problem}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="default">
            Add
          </Button>
        </Group>
      </Input.Wrapper>
    </form>
  );
};
