/** One value of a metric. */
export interface MetricValue {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const MAX_CHARS = 4_000_000;
const MAX_VALUES = 50_000;

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?[ \t]+(\S+)/;
const LABEL = /([A-Za-z_]\w*)="([^"\\]*(?:\\.[^"\\]*)*)"/g;
const ESCAPE = /\\(.)/g;

const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_match, char: string) => (char === 'n' ? '\n' : char));

const labelsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescaped(value)] as const),
  );

/** Numbers are written as in Go: `+Inf`, `-Inf`, `NaN`, `1e-05`. */
const numberOf = (text: string): number =>
  /^[+-]?Inf$/.test(text)
    ? Number(text.replace('Inf', 'Infinity'))
    : /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text)
      ? Number(text)
      : Number.NaN;

/**
 * Parses metrics in the Prometheus text format. Lines that are no values are left out, as are values after the 50,000th and the part
 * of a text after 4,000,000 characters. Never throws.
 *
 * @param isWanted returns whether the values of a name are needed
 */
export const parseMetrics = (
  text: string,
  isWanted: (name: string) => boolean,
): readonly MetricValue[] => {
  const values: MetricValue[] = [];
  for (const line of text.slice(0, MAX_CHARS).split('\n')) {
    if (values.length >= MAX_VALUES) break;
    const [, name = '', labels = '', number = ''] = LINE.exec(line) ?? [];
    if (name === '' || !isWanted(name)) continue;
    const value = numberOf(number);
    if (!Number.isNaN(value)) values.push({ name, labels: labelsOf(labels), value });
  }
  return values;
};
