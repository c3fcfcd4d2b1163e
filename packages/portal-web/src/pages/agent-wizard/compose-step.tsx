import { ToolsStep } from '@gateway/portal-ui';
import { type Composition, toDeclaredToolset, listUnknownPresets } from '@gateway/toolset-composer';
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { useAgents } from '../../queries/agents.ts';
import { useCatalog } from '../../queries/catalog.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';
import { usePresets, useResolution } from '../../queries/toolsets.ts';

const useAgentToolsets = () =>
  (useAgents().data ?? []).flatMap(({ namespace, name, toolset }) =>
    toolset === undefined ? [] : [{ name: `${namespace}/${name}`, toolset }],
  );

const CatalogNotice = ({ catalog }: { readonly catalog: ReturnType<typeof useCatalog> }) => {
  if (catalog.error !== null)
    return (
      <Alert color="red" role="alert" title="The catalog cannot be read">
        {catalog.error.message}
      </Alert>
    );
  return catalog.isPending ? <LoadingSign label="Loading the catalog" /> : null;
};

/** The step of the wizard in which the toolset is composed, with the catalog of the user. */
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
  const toolset = toDeclaredToolset(composition);
  const unknown = new Set(listUnknownPresets(toolset, presets));
  const resolution = useResolution(toolset);
  const known = toolset.filter((selector) => !unknown.has(selector));
  const rest = useResolution(unknown.size === 0 ? [] : known);
  const onSignIn = useStartSignIn();
  return (
    <ToolsStep
      composition={composition}
      onChange={onChange}
      presets={presets}
      sections={catalog.data}
      catalogNotice={<CatalogNotice catalog={catalog} />}
      agents={agents}
      resolution={resolution}
      rest={rest}
      onSignIn={onSignIn}
    />
  );
};
