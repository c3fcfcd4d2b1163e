import { ANONYMOUS, type JsonObject } from '@gateway/call-contract';
import {
  type CoreTool,
  createErrorResult,
  createObjectResult,
  defineCoreTool,
  formatUtcTime,
  READS,
} from './core-tool.ts';
import { USAGE_SUBJECTS, type UsageQuery, type UsageSums } from './ports.ts';

const MAX_HOURS = 30 * 24;
const DEFAULT_HOURS = 24;
const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 50;

/** A toolset can have more characters than other arguments. */
const MAX_TOOLSET_UNITS = 65_536;

const formatSums = ({ lastAt, ...sums }: UsageSums): JsonObject => ({
  ...sums,
  ...(lastAt !== undefined && { lastUsed: formatUtcTime(lastAt) }),
});

/** The tool that shows how often tools are used. A caller who may not see the runs of all users sees the own calls. */
export const usageTool: CoreTool = defineCoreTool({
  name: 'core_usage_get',
  description:
    'Show calls, errors, 95th percentile of duration, bytes of results and last use of tools; by tool, toolset or user.',
  annotations: READS,
  arguments: {
    hours: {
      type: 'integer',
      required: false,
      description: 'Length of the period until now',
      minimum: 1,
      maximum: MAX_HOURS,
      default: DEFAULT_HOURS,
    },
    by: {
      type: 'string',
      required: false,
      description: 'What each row is about; tool by default',
      enum: USAGE_SUBJECTS,
    },
    tool: {
      type: 'string',
      required: false,
      description: 'Only calls of the tool with this exposed name',
    },
    toolset: {
      type: 'string',
      required: false,
      description: 'Only calls under this toolset: selectors separated by commas, as in the header',
      maxUnits: MAX_TOOLSET_UNITS,
    },
    user: {
      type: 'string',
      required: false,
      description: 'Only calls of the user with this subject or e-mail address',
    },
    limit: {
      type: 'integer',
      required: false,
      description: 'How many rows to show at most, those with most calls first',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    },
  },
  run: async (
    { hours = DEFAULT_HOURS, by = 'tool', limit = DEFAULT_LIMIT, ...filters },
    { usage, seesAllRuns },
    { principal = ANONYMOUS },
  ) => {
    const principalKey = seesAllRuns(principal) ? undefined : principal.key;
    // The table of arguments allows only these values.
    const query = { hours, by: by as UsageQuery['by'], ...filters, principalKey };
    try {
      const { since, until, total, rows } = await usage.query(query);
      return createObjectResult({
        since: formatUtcTime(since),
        until: formatUtcTime(until),
        total: formatSums(total),
        rows: rows.slice(0, limit).map(formatSums),
        rowCount: rows.length,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return createErrorResult(`Failed to read the usage: ${reason}`);
    }
  },
});
