import { Button, JsonInput, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

const parsed = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** A form for a JSON object as text. */
export const JsonForm = ({
  value,
  submitLabel,
  isDisabled,
  onSubmit,
}: {
  readonly value: JsonObject;
  readonly submitLabel: string;
  readonly isDisabled: boolean;
  readonly onSubmit: (value: JsonObject) => void;
}): ReactNode => {
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  const [hasProblem, setProblem] = useState(false);
  const submit = (): void => {
    const object = parsed(text);
    setProblem(object === undefined);
    if (object !== undefined) onSubmit(object);
  };
  return (
    <Stack align="flex-start">
      <JsonInput
        label="Arguments"
        w="100%"
        autosize
        minRows={6}
        value={text}
        onChange={setText}
        {...(hasProblem && { error: 'The arguments are not a JSON object.' })}
      />
      <Button disabled={isDisabled} onClick={submit}>
        {submitLabel}
      </Button>
    </Stack>
  );
};
