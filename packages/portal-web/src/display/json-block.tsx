import { Code, ScrollArea, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { jsonText, TOO_DEEP } from './json-text.ts';

const LARGEST_PX = 320;

/** Text from outside in its own lines. Long texts scroll, with the keyboard too. */
export const TextBlock = ({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): ReactNode => (
  <Stack gap={4}>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    <ScrollArea.Autosize
      mah={LARGEST_PX}
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': title }}
    >
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <bdi>{text}</bdi>
      </Code>
    </ScrollArea.Autosize>
  </Stack>
);

/** A JSON value from outside. */
export const JsonBlock = ({
  title,
  value,
}: {
  readonly title: string;
  readonly value: unknown;
}): ReactNode => <TextBlock title={title} text={jsonText(value, 2) ?? TOO_DEEP} />;
