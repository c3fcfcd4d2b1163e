import * as z from 'zod/mini';
import { boundedText } from '../fields/bounded-text.ts';
import { described, named } from '../fields/field-facts.ts';
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
  MAX_START_TIMEOUT_SECONDS,
  MAX_TIMEOUT_SECONDS,
  MAX_URL_CHARS,
  MIN_START_TIMEOUT_SECONDS,
  MIN_TIMEOUT_SECONDS,
} from '../resource/limits.ts';
import { authFields } from './auth-fields.ts';
import { envFrom, headersFrom } from './reference-fields.ts';

/** The transports of servers. @spec §2.6 type */
export const MCP_SERVER_TYPES = ['stdio', 'streamable-http', 'sse'] as const;

/** Values of `spec.instances`. */
export const MCP_SERVER_INSTANCES = ['shared', 'perSession'] as const;

/** The revisions of MCP that a connection can be limited to. */
export const MCP_SERVER_PROTOCOLS = ['auto', '2025-11-25', '2026-07-28'] as const;

const identifier = boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: IDENTIFIER });
const processText = boundedText({ max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT });

const family = named(
  'Family',
  z.strictObject({
    name: described('Servers that share this name share one exposed surface.', identifier),
    instanceArg: described(
      'Name of the required argument by which callers select the instance; the same in the whole family.',
      boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: ARGUMENT_NAME }),
    ),
  }),
);

const env = stringMap({
  key: { max: MAX_ENV_NAME_CHARS, pattern: ENV_NAME },
  value: { max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT },
  maxEntries: MAX_ENV_ENTRIES,
});

const headers = stringMap({
  key: { max: MAX_HEADER_NAME_CHARS, pattern: HEADER_NAME },
  value: { max: MAX_HEADER_VALUE_CHARS, pattern: HEADER_VALUE },
  maxEntries: MAX_HEADERS,
});

const timeout = z.int().check(z.minimum(MIN_TIMEOUT_SECONDS), z.maximum(MAX_TIMEOUT_SECONDS));

const startTimeout = z
  .int()
  .check(z.minimum(MIN_START_TIMEOUT_SECONDS), z.maximum(MAX_START_TIMEOUT_SECONDS));

/** The fields of `spec` of an `MCPServer`. Requirements between fields are in the rules. @spec §2.6 */
export const mcpServerSpecFields = named(
  'MCPServerSpec',
  z.strictObject({
    type: described('The transport of the server.', z.enum(MCP_SERVER_TYPES)),
    command: described(
      'Executable of a stdio server; required when type is stdio.',
      z.exactOptional(boundedText({ min: 1, max: MAX_COMMAND_CHARS, pattern: PROCESS_TEXT })),
    ),
    args: described(
      'Command-line arguments; only when type is stdio.',
      z.exactOptional(z.array(processText).check(z.maxLength(MAX_ARGS))),
    ),
    cwd: described(
      'Working directory of the process, from which relative paths in command and args count; only when type is stdio. The configuration directory when unset; a relative path counts from it.',
      z.exactOptional(boundedText({ min: 1, max: MAX_CWD_CHARS, pattern: PROCESS_TEXT })),
    ),
    startTimeout: described(
      'Time limit for the start of the process, its installation included, in seconds; only when type is stdio. servers.stdioStartSeconds of the configuration unless set.',
      z.exactOptional(startTimeout),
    ),
    instances: described(
      'Connections of the server: shared, one for all clients, or perSession, a further process of a stdio server or session of a remote server for each client, which keeps state and receives answers of that client only. shared unless set.',
      z.exactOptional(z.enum(MCP_SERVER_INSTANCES)),
    ),
    protocol: described(
      'Revision of MCP of the connection: 2025-11-25 (with initialize; older 2025 revisions too), 2026-07-28, or auto, the revision in which the server declares the most, and 2026-07-28 when it declares the same in both. auto unless set.',
      z.exactOptional(z.enum(MCP_SERVER_PROTOCOLS)),
    ),
    url: described(
      'Endpoint URL; required when type is streamable-http or sse.',
      z.exactOptional(boundedText({ min: 1, max: MAX_URL_CHARS, pattern: HTTP_URL })),
    ),
    env: described('Environment variables for the server.', z.exactOptional(env)),
    headers: described(
      'HTTP headers for requests to the server; only when type is streamable-http or sse.',
      z.exactOptional(headers),
    ),
    envFrom: described(
      'Environment variables whose values are keys of Secrets and ConfigMaps; only when type is stdio.',
      z.exactOptional(envFrom),
    ),
    headersFrom: described(
      'HTTP headers whose values are keys of Secrets and ConfigMaps; only when type is streamable-http or sse.',
      z.exactOptional(headersFrom),
    ),
    toolPrefix: described(
      "Takes the place of the server's name in the exposed names of its tools.",
      z.exactOptional(identifier),
    ),
    family: described(
      'Groups equivalent instances under one exposed surface.',
      z.exactOptional(family),
    ),
    description: described(
      'The purpose of the server.',
      z.exactOptional(boundedText({ max: MAX_SERVER_DESCRIPTION_CHARS })),
    ),
    autoStart: described(
      'Start the server when the gateway starts or when what it depends on becomes available.',
      z._default(z.boolean(), DEFAULT_AUTO_START),
    ),
    auth: described(
      'Authentication; only when type is streamable-http or sse.',
      z.exactOptional(authFields),
    ),
    timeout: described(
      'Connection timeout for remote operations, in seconds.',
      z._default(timeout, DEFAULT_TIMEOUT_SECONDS),
    ),
  }),
);

/** `spec` before the rules between fields are evaluated. */
export type McpServerSpecFields = z.output<typeof mcpServerSpecFields>;
