/**
 * One line of the audit log: a call of a caller, a call of a workflow's step, requests that the endpoint refused, or a fact about a
 * sign-in. It has no arguments, no results and no secrets, and no text of more than {@link MAX_AUDIT_TEXT} characters. Later versions add members; they do not change or remove any.
 */
export interface AuditRecord {
  readonly time: string;
  readonly id: string;
  readonly parent?: string | undefined;
  readonly run?: string | undefined;
  readonly workflow?: string | undefined;
  readonly subject?: string | undefined;
  readonly issuer?: string | undefined;
  readonly actor?: string | undefined;
  readonly peer?: string | undefined;
  readonly session?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly client?: string | undefined;
  readonly method?: string | undefined;
  readonly metaTool?: string | undefined;
  readonly name?: string | undefined;
  readonly server?: string | undefined;
  readonly serverName?: string | undefined;
  readonly toolset?: string | undefined;
  readonly resumed?: true | undefined;
  readonly decision: 'allowed' | 'refused';
  readonly reason?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly durationMs?: number | undefined;
  readonly resultBytes?: number | undefined;
  readonly count?: number | undefined;
}

/** How a call ended. `cancelled` includes the end of its time limit. */
export const AUDIT_OUTCOMES = [
  'ok',
  'error_result',
  'failed',
  'cancelled',
  'input_required',
] as const;

/** One of {@link AUDIT_OUTCOMES}. */
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** The facts about sign-ins that have a record. */
export const AUDIT_ACTIONS = [
  'caller.sign-in',
  'caller.sign-out',
  'consent.give',
  'consent.refuse',
  'client.register',
  'server.sign-in',
  'server.sign-out',
] as const;

/** One of {@link AUDIT_ACTIONS}. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The longest text of a record, in UTF-16 code units. Longer ones are cut. */
export const MAX_AUDIT_TEXT = 256;

interface Member {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly description: string;
  readonly enum?: readonly string[];
}

const createTextMember = (description: string): Member => ({ type: 'string', description });

/** The members of a record, for the reference page and the JSON Schema. */
export const AUDIT_MEMBERS: Readonly<Record<keyof AuditRecord, Member>> = {
  time: createTextMember('Start of the call, ISO 8601 in UTC.'),
  id: createTextMember('Identifier of the record, unique in the log.'),
  parent: createTextMember('`id` of the call whose workflow made this call.'),
  run: createTextMember(
    'Identifier of the workflow run that made this call, as in `core_workflow_execution_get`.',
  ),
  workflow: createTextMember('Workflow that made this call.'),
  subject: createTextMember('Principal of the call; `anonymous` without sign-in.'),
  issuer: createTextMember('Issuer of the principal.'),
  actor: createTextMember('Party that acts for the principal, from the claim `act` of its token.'),
  peer: createTextMember(
    'Address of the client, for IPv6 its network of 64 bits; behind `http.trustedProxies` the address that they report. Absent over stdio.',
  ),
  session: createTextMember('First 8 characters of the session id, as in the log.'),
  action: {
    type: 'string',
    enum: AUDIT_ACTIONS,
    description:
      'Fact about a sign-in: of a user at the gateway, the consent for a client, a client that registered itself, or of a user to a server. Absent for calls.',
  },
  client: createTextMember('Identifier of the client of a consent or a registration.'),
  method: createTextMember(
    'MCP method: `tools/call`, `resources/read`, `resources/subscribe`, `prompts/get`, `completion/complete`.',
  ),
  metaTool: createTextMember('Meta-tool that was called, such as `call_tool`.'),
  name: createTextMember(
    'Exposed name of the tool, name of the prompt, or URI of the resource without query and user information; as the caller gave it.',
  ),
  server: createTextMember('Server that received the call.'),
  serverName: createTextMember("The server's own name of the tool or prompt."),
  toolset: createTextMember(
    'Value of the header `X-Gateway-Toolset`; absent without a toolset, and for steps.',
  ),
  resumed: {
    type: 'boolean',
    description: 'The call continues one with the outcome `input_required`.',
  },
  decision: {
    type: 'string',
    enum: ['allowed', 'refused'],
    description: 'Whether the gateway executed the call, or the sign-in succeeded.',
  },
  reason: createTextMember(
    'Reason of a refusal: `toolset:` with a reason of `gateway_toolset_refusals_total`, `coreTools.writes`, `servers.maxQueuedCalls`, `limits.rate`, `limits.breaker`, `endpoint:` with a code of `gateway_http_refusals_total`, or `sign-in:` with the problem of a sign-in.',
  ),
  outcome: {
    type: 'string',
    enum: AUDIT_OUTCOMES,
    description:
      'End of the call: a result, a result with `isError`, an error, a cancellation or the time limit, or a question to the caller.',
  },
  durationMs: { type: 'number', description: 'Duration in milliseconds.' },
  resultBytes: {
    type: 'integer',
    description: 'Size of the result as JSON, in bytes, without `_meta`.',
  },
  count: {
    type: 'integer',
    description:
      'Number of equal refusals in one second: by the endpoint, of sign-ins at the gateway, or of calls of one caller beyond the 100 that have records of their own (one more each second); absent for one.',
  },
};

/** Members that every record has. */
const REQUIRED: readonly (keyof AuditRecord)[] = ['time', 'id', 'decision'];

/** JSON Schema of one line. */
export const AUDIT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Record of the audit log of the gateway',
  type: 'object',
  required: REQUIRED,
  properties: AUDIT_MEMBERS,
};
