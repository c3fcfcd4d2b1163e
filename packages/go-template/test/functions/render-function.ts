import { renderValue } from '../../src/rendering/render-value.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';

/** When tests render: 2026-01-02T03:04:05Z. */
export const TEST_NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Bytes that a rendering of a test may make. */
const TEST_MAX_BYTES = 1 << 20;

/** A template as text, with empty data; a failure as `! <why>`, without its place. */
export const rendered = (template: string, maxBytes = TEST_MAX_BYTES): string => {
  // A second action makes a text of every value.
  const parsed = parseValue(`${template}{{ "" }}`);
  if (!parsed.ok) return `! ${parsed.error.replace(/^line \d+, column \d+: /, '')}`;
  const answer = renderValue(
    parsed.value,
    { input: {}, results: {}, vars: {}, context: {} },
    { maxBytes, now: () => TEST_NOW },
  );
  if (answer.ok) return answer.value as string;
  return `! ${answer.error.replace(/^line \d+, column \d+: /, '')}`;
};
