import { parser } from '@prometheus-io/lezer-promql';

/** The metrics of an expression, and the labels that it compares or groups by. */
export interface ReadSeries {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

/** Parses a PromQL expression. Throws at the first place that the grammar of Prometheus does not accept. */
export function seriesOf(expression: string): ReadSeries {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(expression).iterate({
    enter: ({ name, from, to, type }) => {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at ${from.toString()}: ${expression}`);
      if (name === 'Identifier') metrics.add(text);
      if (name === 'LabelName') labels.add(text);
    },
  });
  return { metrics: [...metrics], labels: [...labels] };
}
