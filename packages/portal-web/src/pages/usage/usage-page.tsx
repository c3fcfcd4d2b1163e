import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { USAGE_HEADS, USAGE_HOURS } from '../../addresses/searches.ts';
import { type Column, DataTable, useTableSearch } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { Fact, PageHead, PageLink, RelativeTime } from '../../display/page-parts.tsx';
import { formatDuration } from '../runs/run-facts.ts';
import {
  type Usage,
  type UsageFacts,
  type UsageQuestion,
  type UsageRow,
  useUsage,
} from '../../queries/usage.ts';

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;
const KILO = 1_000;
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Returns a number of bytes in the largest unit of which there is one. */
export const formatBytes = (bytes: number): string => {
  const step = Math.min(
    UNITS.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)),
  );
  return `${number.format(bytes / KILO ** step)} ${UNITS[step] ?? ''}`;
};

const formatMean = ({ calls, resultBytes }: UsageFacts): string =>
  calls === 0 ? '–' : formatBytes(resultBytes / calls);

const formatP95 = ({ p95Ms }: UsageFacts): string =>
  p95Ms === undefined ? '–' : formatDuration(p95Ms);

const NUMBERS: readonly Column<UsageRow>[] = [
  {
    id: 'calls',
    label: 'Calls',
    w: 90,
    render: ({ calls }) => calls,
    sortBy: ({ calls }) => calls,
  },
  {
    id: 'errors',
    label: 'Errors',
    w: 90,
    render: ({ errors }) => (
      <Text size="sm" {...(errors > 0 && { c: 'red' })}>
        {errors}
      </Text>
    ),
    sortBy: ({ errors }) => errors,
  },
  {
    id: 'p95',
    label: 'Calls: p95',
    w: 120,
    render: formatP95,
    sortBy: ({ p95Ms = 0 }) => p95Ms,
  },
  {
    id: 'bytes',
    label: 'Result: mean',
    w: 130,
    isWide: true,
    render: formatMean,
    sortBy: ({ calls, resultBytes }) => resultBytes / Math.max(calls, 1),
  },
  {
    id: 'last',
    label: 'Last used',
    w: 130,
    isWide: true,
    render: ({ lastUsed }) => lastUsed !== undefined && <RelativeTime at={lastUsed} />,
    sortBy: ({ lastUsed = '' }) => lastUsed,
  },
];

const TOOL: Column<UsageRow> = {
  id: 'name',
  label: 'Tool',
  render: ({ name }) => (
    <PageLink to="/catalog/$tool" params={{ tool: name }} size="sm" ff="monospace">
      <bdi>{name}</bdi>
    </PageLink>
  ),
  sortBy: ({ name }) => name,
};

const toPlain = (label: string): Column<UsageRow> => ({
  id: 'name',
  label,
  render: ({ name }) => <bdi title={name}>{name}</bdi>,
  sortBy: ({ name }) => name,
});

const COLUMNS = {
  tool: [TOOL, ...NUMBERS],
  toolset: [toPlain('Toolset of the agent'), ...NUMBERS],
  user: [toPlain('User'), ...NUMBERS],
};

/** The calls of a period in numbers. */
const Totals = ({ total }: Pick<Usage, 'total'>): ReactNode => (
  <SimpleGrid cols={{ base: 2, sm: 4 }}>
    <Fact label="Calls">{total.calls}</Fact>
    <Fact label="Errors">{total.errors}</Fact>
    <Fact label="Calls: p95">{formatP95(total)}</Fact>
    <Fact label="Results">{formatBytes(total.resultBytes)}</Fact>
  </SimpleGrid>
);

/** Calls, errors, times and sizes of results of a period, by tool, toolset or user. */
export const UsageTable = ({ question }: { readonly question: UsageQuestion }): ReactNode => (
  <Loaded query={useUsage(question)} label="Loading the usage">
    {({ total, rows }) => (
      <Stack>
        <Totals total={total} />
        <DataTable
          label="Usage"
          noun={question.by ?? 'tool'}
          records={rows}
          recordKey={({ name }) => name}
          columns={COLUMNS[question.by ?? 'tool']}
          searchLabel="Find"
          textOf={({ name }) => name}
          empty={<Text size="sm">Nothing was called in this time.</Text>}
        />
      </Stack>
    )}
  </Loaded>
);

const route = getRouteApi('/usage');

const PERIODS = [
  { value: '1', label: 'Hour' },
  { value: '24', label: 'Day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];
const HEADS = [
  { value: 'tool', label: 'Tools' },
  { value: 'toolset', label: 'Agents' },
  { value: 'user', label: 'Users' },
];

/** What the gateway was used for: by tool, agent and user. */
export const UsagePage = (): ReactNode => {
  const { hours = USAGE_HOURS[1], by = USAGE_HEADS[0] } = route.useSearch();
  const [, change] = useTableSearch();
  return (
    <Stack>
      <PageHead
        title="Usage"
        text="Calls of tools, without those by which the portal reads its pages. An agent is known by its toolset."
      >
        <SegmentedControl
          size="xs"
          aria-label="Usage by"
          data={HEADS}
          value={by}
          onChange={(value) => change({ by: value, sort: '', query: '' })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={PERIODS}
          value={String(hours)}
          onChange={(value) => change({ hours: Number(value) })}
        />
      </PageHead>
      <UsageTable question={{ hours, by }} />
    </Stack>
  );
};
