import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';
import { ResultItem } from './result-item.tsx';
import { StructuredResult } from './structured-result.tsx';

const compact = (text: unknown): string | undefined => {
  try {
    return typeof text === 'string' ? JSON.stringify(JSON.parse(text)) : undefined;
  } catch {
    return undefined;
  }
};

/** Servers repeat a structured result as text for clients that do not read it. */
const withoutRepetition = (
  items: readonly JsonObject[],
  structured: unknown,
): readonly JsonObject[] => {
  if (structured === undefined) return items;
  const repeated = JSON.stringify(structured);
  return items.filter(({ type, text }) => type !== 'text' || compact(text) !== repeated);
};

/** The result of a call: structured content, texts, pictures, sounds, resources and links. */
export const CallResult = ({
  result,
  isError,
}: {
  readonly result: JsonObject;
  readonly isError: boolean;
}): ReactNode => {
  const { content, structuredContent } = result;
  const items = (Array.isArray(content) ? content : []).filter(isJsonObject);
  const shown = withoutRepetition(items, structuredContent);
  const isEmpty = shown.length === 0 && structuredContent === undefined;
  return (
    <Stack gap="xs" role="status">
      {isError ? (
        <Alert color="red" title="The tool answered with an error" />
      ) : (
        <Text fw={600}>Result</Text>
      )}
      {isJsonObject(structuredContent) && <StructuredResult value={structuredContent} />}
      {shown.map((item, at) => (
        <ResultItem key={at} item={item} />
      ))}
      {isEmpty && <Text size="sm">The result is empty.</Text>}
    </Stack>
  );
};
