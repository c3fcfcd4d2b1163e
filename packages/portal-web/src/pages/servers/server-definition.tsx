import { Button, Code, CopyButton, Group, ScrollArea, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { definitionText } from './definition-text.ts';
import { useApiGroup } from './use-servers.ts';
import type { ServerFacts } from './server-facts.ts';

const MAX_HEIGHT_PX = 420;

/** The definition of a server as YAML, without its secrets. */
export const ServerDefinition = ({ server }: { readonly server: ServerFacts }): ReactNode => {
  const text = definitionText(server, useApiGroup());
  return (
    <Stack gap="xs">
      <Group gap="xs">
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
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Definition as YAML' }}
      >
        <Code block>{text}</Code>
      </ScrollArea.Autosize>
    </Stack>
  );
};
