import { Group, Pill, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';

/** The toolset that narrows the catalog, with the ways to its explanation and to all tools. */
export const CatalogToolset = ({ toolset }: { readonly toolset: readonly string[] }): ReactNode => (
  <Group gap="xs" role="group" aria-label="Toolset of this catalog">
    <Text size="sm">Only the tools of</Text>
    {toolset.map((selector) => (
      <Pill key={selector}>
        <bdi>{selector}</bdi>
      </Pill>
    ))}
    <PageLink to="/toolsets" search={{ left: [...toolset] }} size="sm">
      Why these tools
    </PageLink>
    <PageLink to="/catalog" search={({ toolset: _toolset, ...others }) => others} size="sm">
      Show all tools
    </PageLink>
  </Group>
);
