import { Alert, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend-context.ts';
import { Sparkline } from '../../display/sparkline.tsx';
import { gatewayRates, type GatewayRates } from '../../metrics/gateway-rates.ts';
import type { GatewaySample } from '../../metrics/gateway-sample.ts';
import { useGatewaySamples } from '../../queries/use-gateway-samples.ts';

const MS = 1_000;
const perSecond = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const milliseconds = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** A chart: the value of each interval, and the text of the latest one. */
interface Chart {
  readonly label: string;
  readonly valueOf: (rates: GatewayRates) => number | undefined;
  readonly textOf: (value: number) => string;
}

const CHARTS: readonly Chart[] = [
  {
    label: 'Calls',
    valueOf: ({ callsPerSecond }) => callsPerSecond,
    textOf: (value) => `${perSecond.format(value)} per second`,
  },
  {
    label: 'Failed calls',
    valueOf: ({ failedPart }) => failedPart,
    textOf: (value) => percent.format(value),
  },
  {
    label: '95 % of calls within',
    valueOf: ({ slowSeconds }) => slowSeconds,
    textOf: (value) => `${milliseconds.format(value * MS)} ms`,
  },
  {
    label: 'Requests to servers',
    valueOf: ({ serverRequestsPerSecond }) => serverRequestsPerSecond,
    textOf: (value) => `${perSecond.format(value)} per second`,
  },
];

const ChartCard = ({
  chart: { label, valueOf, textOf },
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
  const rates = gatewayRates(data);
  return (
    <Stack gap="sm" component="section" aria-label="Health">
      <Title order={2} size="h4">
        Health
      </Title>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
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
