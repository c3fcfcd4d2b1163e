import { Card, Grid, Stack, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTableSearch } from './data-table.tsx';

/** A part of the page of a thing. */
export interface DetailTab {
  /** Names the tab in the address. */
  readonly id: string;
  readonly label: string;
  readonly render: () => ReactNode;
}

/** The page of a thing in tabs, one of which the address names, with short facts at the side. */
export const DetailTabs = ({
  tabs,
  facts,
}: {
  /** The first is shown where the address names none. */
  readonly tabs: readonly [DetailTab, ...DetailTab[]];
  readonly facts?: ReactNode;
}): ReactNode => {
  const [search, change] = useTableSearch();
  const shown = tabs.find(({ id }) => id === search['tab']) ?? tabs[0];
  return (
    <Tabs
      value={shown.id}
      keepMounted={false}
      onChange={(tab) =>
        change({ tab: tab === null || tab === tabs[0].id ? '' : tab, query: '', sort: '' })
      }
    >
      <Tabs.List mb="md">
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Grid>
        {facts !== undefined && (
          <Grid.Col span={{ base: 12, md: 3 }} order={{ base: 1, md: 2 }}>
            <Card withBorder component="aside" aria-label="Facts" padding="sm">
              <Stack gap="xs">{facts}</Stack>
            </Card>
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, md: facts === undefined ? 12 : 9 }} order={{ base: 2, md: 1 }}>
          <Tabs.Panel value={shown.id}>{shown.render()}</Tabs.Panel>
        </Grid.Col>
      </Grid>
    </Tabs>
  );
};
