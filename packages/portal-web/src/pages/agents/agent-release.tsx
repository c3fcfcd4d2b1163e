import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageSection } from '../../display/page-section.tsx';
import { ReleaseView } from './release-view.tsx';
import { useAgentRelease, type AgentName } from './use-agent.ts';

/** The release of an agent as YAML. */
export const AgentRelease = ({ name }: { readonly name: AgentName }): ReactNode => {
  const { data, error } = useAgentRelease(name);
  return (
    <PageSection title="Release">
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data?.manifests !== undefined && <ReleaseView name={name.name} manifests={data.manifests} />}
      {data?.manifests === undefined && data?.errors?.map((text) => <Text key={text}>{text}</Text>)}
      {data === undefined && error === null && <LoadingSign label="Loading the release" />}
    </PageSection>
  );
};
