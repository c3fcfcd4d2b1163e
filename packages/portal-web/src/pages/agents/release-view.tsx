import { Button, Code, CopyButton, Group, ScrollArea, Stack } from '@mantine/core';
import type { Manifests } from '@gateway/agent-manager-client';
import { releaseFile } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';

const MAX_HEIGHT_PX = 420;

const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.yaml`;
  link.click();
  URL.revokeObjectURL(url);
};

/** A composed release as YAML, to read, copy or download for a GitOps repository. */
export const ReleaseView = ({
  name,
  manifests,
}: {
  readonly name: string;
  readonly manifests: Manifests;
}): ReactNode => {
  const text = releaseFile(manifests);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => download(name, text)}>
          Download YAML
        </Button>
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
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Release as YAML' }}
      >
        <Code block>{text}</Code>
      </ScrollArea.Autosize>
    </Stack>
  );
};
