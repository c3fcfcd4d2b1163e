import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { jsonText, TOO_DEEP } from '../../display/json-text.ts';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';
import { downloadFile } from './download-file.ts';
import { ResultItem } from './result-item.tsx';
import { StructuredResult } from './structured-result.tsx';

/** More parts make a page slow. */
const MAX_ITEMS = 200;

/** The way to all parts of a result, which has too many. */
const MoreItems = ({
  result,
  count,
}: {
  readonly result: JsonObject;
  readonly count: number;
}): ReactNode => (
  <Group gap="xs">
    <Text size="sm">{`The first ${MAX_ITEMS} of ${count} parts are shown.`}</Text>
    <Button
      variant="default"
      size="xs"
      onClick={() => downloadFile('result.json', jsonText(result, 2) ?? TOO_DEEP)}
    >
      Download all
    </Button>
  </Group>
);

const parsed = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** Returns a value with the members of its objects in one order. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, ordered(member)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** Returns undefined for a value that is nested too deeply. */
const compact = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(ordered(value));
  } catch {
    return undefined;
  }
};

interface ShownResult {
  readonly items: readonly JsonObject[];
  readonly structured: JsonObject | undefined;
}

/** Servers repeat a structured result as text for clients that do not read it: its JSON, or the text that is its only member. */
const withoutRepetition = (items: readonly JsonObject[], structured: JsonObject): ShownResult => {
  const [member, ...others] = Object.values(structured);
  const isText = (one: JsonObject): boolean => one['type'] === 'text';
  if (others.length === 0 && items.some((one) => isText(one) && one['text'] === member))
    return { items, structured: undefined };
  const repeated = compact(structured);
  if (repeated === undefined) return { items, structured };
  return {
    items: items.filter((one) => !isText(one) || compact(parsed(one['text'])) !== repeated),
    structured,
  };
};

const shownOf = ({ content, structuredContent }: JsonObject): ShownResult => {
  const items = (Array.isArray(content) ? content : []).filter(isJsonObject);
  return isJsonObject(structuredContent)
    ? withoutRepetition(items, structuredContent)
    : { items, structured: undefined };
};

/** The result of a call: structured content, texts, pictures, sounds, resources and links. */
export const CallResult = ({
  result,
  isError,
}: {
  readonly result: JsonObject;
  readonly isError: boolean;
}): ReactNode => {
  const { items, structured } = shownOf(result);
  const isEmpty = items.length === 0 && structured === undefined;
  return (
    <Stack gap="xs" role="status">
      {isError ? (
        <Alert color="red" title="The tool answered with an error" />
      ) : (
        <Text fw={600}>Result</Text>
      )}
      {structured !== undefined && <StructuredResult value={structured} />}
      {items.slice(0, MAX_ITEMS).map((item, at) => (
        <ResultItem key={at} item={item} />
      ))}
      {items.length > MAX_ITEMS && <MoreItems result={result} count={items.length} />}
      {isEmpty && <Text size="sm">The result is empty.</Text>}
    </Stack>
  );
};
