import { Button } from '@mantine/core';
import type { Manifests } from '@gateway/agent-manager-client';
import { releaseFile } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { YamlText } from '../../display/yaml-text.tsx';

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
    <YamlText
      label="Release as YAML"
      text={text}
      action={
        <Button size="xs" variant="default" onClick={() => download(name, text)}>
          Download YAML
        </Button>
      }
    />
  );
};
