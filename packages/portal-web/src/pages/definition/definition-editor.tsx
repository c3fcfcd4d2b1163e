import '@mantine/dates/styles.css';
import { type JsonObject, toObject } from '@gateway/call-contract';
import {
  Accordion,
  Alert,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { stringify } from 'yaml';
import { Failure, LoadingSign } from '../../display/loading.tsx';
import { TextList } from '../../display/page-parts.tsx';
import { SchemaForm } from '../../form/schema-form.tsx';
import { parseYaml, pickProperties, withoutEmpty, withTitles } from './definition-values.ts';
import { useDefinitionChecks, useToolAnswer } from '../../queries/core-tools.ts';

/** Reads the schema of the arguments of a core tool. */
const useToolSchema = (tool: string): UseQueryResult<JsonObject> =>
  useToolAnswer(
    {
      key: ['tool-schema', tool],
      tool: 'describe_tool',
      args: { name: tool },
      parse: ({ inputSchema }) => toObject(inputSchema),
    },
    { staleTime: Infinity },
  );

const MIN_ROWS = 12;
const MAX_ROWS = 40;

const YamlEditor = ({
  value,
  onChange,
}: {
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject | undefined) => void;
}): ReactNode => {
  const [text, setText] = useState(() => stringify(value, { lineWidth: 0 }));
  const [problem, setProblem] = useState<string>();
  const change = (next: string): void => {
    const parsed = parseYaml(next);
    setText(next);
    setProblem('problem' in parsed ? parsed.problem : undefined);
    onChange('problem' in parsed ? undefined : parsed.value);
  };
  return (
    <Textarea
      label="YAML"
      autosize
      minRows={MIN_ROWS}
      maxRows={MAX_ROWS}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      error={problem}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
};

const FieldEditor = ({
  schema,
  first,
  value,
  onChange,
}: {
  readonly schema: JsonObject;
  /** The fields that are shown at once. */
  readonly first: readonly string[];
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
}): ReactNode => {
  const titled = withTitles(schema);
  const rest = pickProperties(titled, first, true);
  const change = (next: JsonObject): void => onChange(withoutEmpty({ ...value, ...next }));
  return (
    <Stack>
      <SchemaForm
        schema={pickProperties(titled, first)}
        value={value}
        hasDefaults={false}
        onChange={change}
      />
      {Object.keys(toObject(rest['properties'])).length > 0 && (
        <Accordion variant="separated">
          <Accordion.Item value="more">
            <Accordion.Control>More settings</Accordion.Control>
            <Accordion.Panel>
              <SchemaForm schema={rest} value={value} hasDefaults={false} onChange={change} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
};

const INPUTS = [
  { value: 'form', label: 'Form' },
  { value: 'yaml', label: 'YAML' },
];
const DEBOUNCE_MS = 300;

/** Returns whether a field has a value. */
const isSet = (value: unknown): boolean => value !== undefined && value !== '';

/** Shows what the gateway says about a definition. */
const Verdict = ({
  isNamed,
  problems,
}: {
  readonly isNamed: boolean;
  /** Absent before the gateway has answered. */
  readonly problems: readonly string[] | undefined;
}): ReactNode => {
  if (!isNamed)
    return <Text size="sm">Enter a name, with which the gateway checks the definition.</Text>;
  if (problems === undefined) return null;
  return problems.length === 0 ? (
    <Text size="sm">The gateway accepts this definition.</Text>
  ) : (
    <Alert color="orange" title="The gateway does not accept this definition yet" role="status">
      <TextList texts={problems} />
    </Alert>
  );
};

interface DefinitionEditorProps {
  /** The core tool whose arguments are edited, and the one that checks them; without one they are checked when they are written. */
  readonly tool: `core_${string}`;
  readonly checkTool?: `core_${string}`;
  /** The part of the arguments of the tool that is edited; all when absent. */
  readonly pickSchema?: (schema: JsonObject) => JsonObject;
  /** The fields that are shown at once, in this order; the others are behind a heading. */
  readonly first: readonly string[];
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  /** Leaves the editor without a change. */
  readonly onCancel?: () => void;
  /** Shown above the button: what will be written. */
  readonly children?: ReactNode;
}

/**
 * Edits the definition of a resource as fields or as YAML. The fields are those of the schema of the core tool that writes it; the gateway checks
 * each change.
 */
export const DefinitionEditor = (props: DefinitionEditorProps): ReactNode => {
  const { tool, checkTool, pickSchema = (whole) => whole, first, value, onChange } = props;
  const [input, setInput] = useState('form');
  const [isBroken, setBroken] = useState(false);
  const { data: schema, error } = useToolSchema(tool);
  const [checked] = useDebouncedValue(value, DEBOUNCE_MS);
  const isNamed = isSet(value['name']);
  const toCheck = checkTool !== undefined && isSet(checked['name']) ? [checked] : [];
  const [found] = useDefinitionChecks(toCheck, checkTool) ?? [];
  const problems = checkTool === undefined ? [] : found;
  if (error !== null) return <Failure error={error} />;
  if (schema === undefined) return <LoadingSign label="Loading the fields" />;
  return (
    <Stack>
      <SegmentedControl
        aria-label="Input"
        w="fit-content"
        value={input}
        onChange={setInput}
        data={INPUTS}
        disabled={isBroken}
      />
      {input === 'form' ? (
        <FieldEditor schema={pickSchema(schema)} first={first} value={value} onChange={onChange} />
      ) : (
        <YamlEditor
          value={value}
          onChange={(next) => {
            setBroken(next === undefined);
            if (next !== undefined) onChange(next);
          }}
        />
      )}
      <Verdict isNamed={isNamed} problems={found} />
      {props.children}
      <Group gap="xs">
        <Button
          loading={props.isPending}
          disabled={isBroken || !isNamed || problems?.length !== 0}
          onClick={props.onSubmit}
        >
          {props.submitLabel}
        </Button>
        {props.onCancel !== undefined && (
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </Stack>
  );
};
