import { Button, Code, CopyButton, Group, ScrollArea, Spoiler, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Returns a value as JSON; undefined for one that is nested too deeply for it. */
export const formatJson = (value: unknown, indent = 0): string | undefined => {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Shown instead of a value without {@link formatJson}. */
export const TOO_DEEP = 'The value is nested too deeply to be shown.';

const LARGEST_PX = 320;

/** Text from outside as code, with its lines. */
export const TextCode = ({ text }: { readonly text: string }): ReactNode => (
  <Code block component="pre" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    <bdi>{text}</bdi>
  </Code>
);

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
      <TextCode text={text} />
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
}): ReactNode => <TextBlock title={title} text={formatJson(value, 2) ?? TOO_DEEP} />;

const SPOILER_PX = 120;

/** Text from outside with its lines, of which the beginning is shown. */
export const LongText = ({ text }: { readonly text: string }): ReactNode => (
  <Spoiler maxHeight={SPOILER_PX} showLabel="Show all" hideLabel="Show less">
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <bdi>{text}</bdi>
    </Text>
  </Spoiler>
);

const MAX_HEIGHT_PX = 420;

/** YAML to read and to copy. */
export const YamlText = ({
  label,
  text,
  action,
}: {
  readonly label: string;
  readonly text: string;
  /** Stands before the button that copies. */
  readonly action?: ReactNode;
}): ReactNode => (
  <Stack gap="xs">
    <Group gap="xs">
      {action}
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
    <ScrollArea.Autosize
      mah={MAX_HEIGHT_PX}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Code block>{text}</Code>
    </ScrollArea.Autosize>
  </Stack>
);

/** Returns an address as browsers open it: with its host in ASCII, and with escapes instead of characters that change the direction of texts. */
export const formatAddress = (address: string): string =>
  URL.canParse(address) ? new URL(address).href : address;

/** Saves bytes or text as a file on the computer of the reader. */
export const downloadFile = (name: string, content: BlobPart): void => {
  // Browsers neither open nor run a file of this type.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
