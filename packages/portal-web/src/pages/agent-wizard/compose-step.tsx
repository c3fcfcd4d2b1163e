import { Alert, Stack } from '@mantine/core';
import { ToolsStep } from '@gateway/portal-ui';
import { declaredToolset, type Composition } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { useAgents } from '../../queries/use-agents.ts';
import { useCatalog } from '../../queries/use-catalog.ts';
import { usePresets } from '../../queries/use-presets.ts';
import { useResolution } from '../../queries/use-resolution.ts';
import { useStartSignIn } from '../../queries/use-start-sign-in.ts';

const useAgentToolsets = () =>
  (useAgents().data ?? []).flatMap(({ namespace, name, toolset }) =>
    toolset === undefined ? [] : [{ name: `${namespace}/${name}`, toolset }],
  );

/** The step of the wizard in which the toolset is composed, with the catalog of the person. */
export const ComposeStep = ({
  composition,
  onChange,
}: {
  readonly composition: Composition;
  readonly onChange: (composition: Composition) => void;
}): ReactNode => {
  const catalog = useCatalog();
  const agents = useAgentToolsets();
  const presets = usePresets();
  const resolution = useResolution(declaredToolset(composition));
  const onSignIn = useStartSignIn();
  return (
    <Stack>
      {catalog.error !== null && (
        <Alert color="red" role="alert" title="The catalogue cannot be read">
          {catalog.error.message}
        </Alert>
      )}
      <ToolsStep
        composition={composition}
        onChange={onChange}
        presets={presets}
        sections={catalog.data ?? []}
        agents={agents}
        resolution={resolution}
        onSignIn={onSignIn}
      />
    </Stack>
  );
};
