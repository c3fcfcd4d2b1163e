import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { Failure } from '../../display/loading.tsx';
import {
  computeGatewayRates,
  type GatewayRates,
  type GatewaySample,
  parseGatewaySample,
} from '../../metrics/gateway-metrics.ts';

const POLL_MS = 5_000;
const MAX_SAMPLES = 60;
const KEY = ['gateway-samples'];

/** Reads the metrics of the gateway every five seconds, and keeps those of the last five minutes. */
const useGatewaySamples = (): UseQueryResult<readonly GatewaySample[]> => {
  const { readMetrics } = useBackend();
  return useQuery<readonly GatewaySample[]>({
    queryKey: KEY,
    refetchInterval: POLL_MS,
    staleTime: POLL_MS,
    queryFn: async ({ signal, client }) => {
      const sample = parseGatewaySample(await readMetrics(signal), performance.now());
      const before = client.getQueryData<readonly GatewaySample[]>(KEY) ?? [];
      return [...before, sample].slice(-MAX_SAMPLES);
    },
  });
};

const WIDTH = 120;
const HEIGHT = 32;
const MARGIN = 2;

/** Returns the points of a line from left to right; the largest value is at the top, and 0 at the bottom. */
const computePoints = (values: readonly number[]): string => {
  const largest = Math.max(...values, Number.MIN_VALUE);
  const step = WIDTH / Math.max(values.length - 1, 1);
  return values
    .map((value, at) => {
      const y = HEIGHT - MARGIN - (Math.max(value, 0) / largest) * (HEIGHT - 2 * MARGIN);
      return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
};

/** A small chart of values over time. The page shows the latest value as text. */
const Sparkline = ({ values }: { readonly values: readonly number[] }): ReactNode => (
  <svg
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    width="100%"
    height={HEIGHT}
    preserveAspectRatio="none"
    aria-hidden
  >
    <polyline
      points={computePoints(values)}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);

const MS = 1_000;
const perSecond = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const milliseconds = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** A chart: the value of each interval, and the text of the latest one. */
interface Chart {
  readonly label: string;
  readonly readValue: (rates: GatewayRates) => number | undefined;
  readonly formatValue: (value: number) => string;
}

const CHARTS: readonly Chart[] = [
  {
    label: 'Calls',
    readValue: ({ callsPerSecond }) => callsPerSecond,
    formatValue: (value) => `${perSecond.format(value)} per second`,
  },
  {
    label: 'Failed calls',
    readValue: ({ failedPart }) => failedPart,
    formatValue: (value) => percent.format(value),
  },
  {
    label: 'Calls: p95',
    readValue: ({ slowSeconds }) => slowSeconds,
    formatValue: (value) => `${milliseconds.format(value * MS)} ms`,
  },
  {
    label: 'Requests to servers',
    readValue: ({ serverRequestsPerSecond }) => serverRequestsPerSecond,
    formatValue: (value) => `${perSecond.format(value)} per second`,
  },
];

const ChartCard = ({
  chart: { label, readValue: valueOf, formatValue: textOf },
  rates,
}: {
  readonly chart: Chart;
  readonly rates: readonly GatewayRates[];
}): ReactNode => {
  const latest = rates.at(-1);
  const value = latest === undefined ? undefined : valueOf(latest);
  return (
    <Card withBorder padding="sm">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="lg">{value === undefined ? '–' : textOf(value)}</Text>
      <Sparkline values={rates.map((interval) => valueOf(interval) ?? 0)} />
    </Card>
  );
};

/** The height of one line, so that nothing moves when the states are known. */
const LINE = 'calc(var(--mantine-font-size-sm) * var(--mantine-line-height-sm))';

const States = ({ sample }: { readonly sample: GatewaySample | undefined }): ReactNode => (
  <Group gap="md" component="ul" role="list" aria-label="Servers by state" m={0} p={0} mih={LINE}>
    {[...(sample?.states ?? [])].toSorted().map(([state, count]) => (
      <Text key={state} size="sm" component="li" style={{ listStyle: 'none' }}>
        {`${state}: ${count}`}
      </Text>
    ))}
  </Group>
);

const Charts = (): ReactNode => {
  const { data = [], error } = useGatewaySamples();
  const rates = computeGatewayRates(data);
  return (
    <Stack gap="sm" component="section" aria-label="Health">
      <Title order={2} size="h4">
        Health
      </Title>
      <Failure error={error} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {CHARTS.map((chart) => (
          <ChartCard key={chart.label} chart={chart} rates={rates} />
        ))}
      </SimpleGrid>
      <States sample={data.at(-1)} />
    </Stack>
  );
};

/** The metrics that matter as small charts of the last five minutes; nothing in a portal without metrics. */
export const GatewayHealth = (): ReactNode => (useBackend().session.hasMetrics ? <Charts /> : null);
