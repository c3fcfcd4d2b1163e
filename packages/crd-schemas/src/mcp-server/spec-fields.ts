import * as z from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { stringMap } from '../fields/string-map.ts';
import {
  ARGUMENT_NAME,
  ENV_NAME,
  HEADER_NAME,
  HEADER_VALUE,
  HTTP_URL,
  IDENTIFIER,
  PROCESS_TEXT,
} from '../fields/text-pattern.ts';
import {
  DEFAULT_AUTO_START,
  DEFAULT_TIMEOUT_SECONDS,
  MAX_ARGS,
  MAX_COMMAND_CHARS,
  MAX_CWD_CHARS,
  MAX_ENV_ENTRIES,
  MAX_ENV_NAME_CHARS,
  MAX_HEADERS,
  MAX_HEADER_NAME_CHARS,
  MAX_HEADER_VALUE_CHARS,
  MAX_IDENTIFIER_CHARS,
  MAX_PROCESS_TEXT_CHARS,
  MAX_SERVER_DESCRIPTION_CHARS,
  MAX_TIMEOUT_SECONDS,
  MAX_URL_CHARS,
  MIN_TIMEOUT_SECONDS,
} from '../limits.ts';
import { authFields } from './auth-fields.ts';

/** How a server is reached. @spec §2.6 type */
export const MCP_SERVER_TYPES = ['stdio', 'streamable-http', 'sse'] as const;

const identifier = boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: IDENTIFIER });
const processText = boundedText({ max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT });

const family = z.strictObject({
  name: identifier,
  instanceArg: boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: ARGUMENT_NAME }),
});

/** `spec` of an `MCPServer`, field by field. What fields require of each other is in the rules. @spec §2.6 */
export const mcpServerSpecFields = z.strictObject({
  type: z.enum(MCP_SERVER_TYPES),
  command: boundedText({ min: 1, max: MAX_COMMAND_CHARS, pattern: PROCESS_TEXT }).exactOptional(),
  args: z.array(processText).max(MAX_ARGS).exactOptional(),
  cwd: boundedText({ min: 1, max: MAX_CWD_CHARS, pattern: PROCESS_TEXT }).exactOptional(),
  url: boundedText({ min: 1, max: MAX_URL_CHARS, pattern: HTTP_URL }).exactOptional(),
  env: stringMap({
    key: { max: MAX_ENV_NAME_CHARS, pattern: ENV_NAME },
    value: { max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT },
    maxEntries: MAX_ENV_ENTRIES,
  }).exactOptional(),
  headers: stringMap({
    key: { max: MAX_HEADER_NAME_CHARS, pattern: HEADER_NAME },
    value: { max: MAX_HEADER_VALUE_CHARS, pattern: HEADER_VALUE },
    maxEntries: MAX_HEADERS,
  }).exactOptional(),
  toolPrefix: identifier.exactOptional(),
  family: family.exactOptional(),
  description: boundedText({ max: MAX_SERVER_DESCRIPTION_CHARS }).exactOptional(),
  autoStart: z.boolean().default(DEFAULT_AUTO_START),
  auth: authFields.exactOptional(),
  timeout: z
    .int()
    .min(MIN_TIMEOUT_SECONDS)
    .max(MAX_TIMEOUT_SECONDS)
    .default(DEFAULT_TIMEOUT_SECONDS),
});

/** `spec` as the fields say it, before what fields require of each other is known to hold. */
export type McpServerSpecFields = z.output<typeof mcpServerSpecFields>;
