import { Button, Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { jsonText, TOO_DEEP } from '../../display/json-text.ts';
import { downloadFile } from './download-file.ts';

/** Longer texts make a page slow. */
const MAX_SHOWN_CHARS = 50_000;

/** A text as it is, its beginning when it is long, with the way to all of it. */
export const ResultText = ({
  text,
  fileName = 'result.txt',
}: {
  readonly text: string;
  readonly fileName?: string;
}): ReactNode => (
  <>
    <Code block component="pre" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <bdi>{text.slice(0, MAX_SHOWN_CHARS)}</bdi>
    </Code>
    {text.length > MAX_SHOWN_CHARS && (
      <Group gap="xs">
        <Text size="sm">{`The first ${MAX_SHOWN_CHARS} of ${text.length} characters are shown.`}</Text>
        <Button variant="default" size="xs" onClick={() => downloadFile(fileName, text)}>
          Download all
        </Button>
      </Group>
    )}
  </>
);

/** A value as JSON. */
export const ResultJson = ({ value }: { readonly value: unknown }): ReactNode => (
  <ResultText text={jsonText(value, 2) ?? TOO_DEEP} fileName="result.json" />
);
