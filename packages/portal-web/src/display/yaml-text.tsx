import { Button, Code, CopyButton, Group, ScrollArea, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

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
