import { Button, JsonInput, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';

const parsed = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The properties of {@link JsonForm}. */
export interface JsonFormProps {
  readonly value: JsonObject;
  readonly submitLabel: string;
  readonly isDisabled: boolean;
  /** Called with every text that is a JSON object. */
  readonly onChange: (value: JsonObject) => void;
  readonly onSubmit: (value: JsonObject) => void;
}

/** A form for a JSON object as text. */
export const JsonForm = (props: JsonFormProps): ReactNode => {
  const { value, submitLabel, isDisabled, onChange, onSubmit } = props;
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  const [hasProblem, setProblem] = useState(false);
  const change = (next: string): void => {
    setText(next);
    const object = parsed(next);
    if (object !== undefined) onChange(object);
  };
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
        maxRows={30}
        value={text}
        onChange={change}
        {...(hasProblem && { error: 'The arguments are not a JSON object.' })}
      />
      <Button disabled={isDisabled} onClick={submit}>
        {submitLabel}
      </Button>
    </Stack>
  );
};
