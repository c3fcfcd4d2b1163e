/** The most characters of `MCPServer.spec.description`. @spec §2.6, §8 */
export const MAX_SERVER_DESCRIPTION_CHARS = 500;

/** Default scopes of an exchanged token. @spec §2.6 */
export const DEFAULT_TOKEN_EXCHANGE_SCOPES = 'openid profile email groups';
/** Default key of the client id in the referenced Secret. @spec §2.6 */
export const DEFAULT_CLIENT_ID_KEY = 'client-id';
/** Default key of the client secret in the referenced Secret. @spec §2.6 */
export const DEFAULT_CLIENT_SECRET_KEY = 'client-secret';

/** The namespace of a resource that names none. */
export const DEFAULT_NAMESPACE = 'default';

/** The most characters of a DNS subdomain. RFC 1123 as Kubernetes applies it. */
export const MAX_SUBDOMAIN_CHARS = 253;
/** The most characters of a DNS label, of a label's name and of a label's value. */
export const MAX_DNS_LABEL_CHARS = 63;
/** The most labels, and the most annotations, of one resource. */
export const MAX_METADATA_ENTRIES = 256;
/** The most characters of one annotation's value. */
export const MAX_ANNOTATION_CHARS = 65_536;

/** The most characters of `toolPrefix`, `family.name`, `family.instanceArg` and `connectorId`. */
export const MAX_IDENTIFIER_CHARS = 128;
export const MAX_URL_CHARS = 2_048;
export const MAX_COMMAND_CHARS = 4_096;
export const MAX_CWD_CHARS = 4_096;
export const MAX_ARGS = 1_024;
/** The most characters of one argument or one environment variable's value. */
export const MAX_PROCESS_TEXT_CHARS = 65_536;
/** The most environment variables of one server. */
export const MAX_ENV_ENTRIES = 1_024;
/** The most characters of an environment variable's name. */
export const MAX_ENV_NAME_CHARS = 256;
/** The most headers of one server. */
export const MAX_HEADERS = 128;
/** The most characters of a header's name. */
export const MAX_HEADER_NAME_CHARS = 256;
/** The most characters of a header's value. */
export const MAX_HEADER_VALUE_CHARS = 8_192;
/** The most entries of `spec.envFrom`, of `spec.headersFrom` and of `defaultsFrom` of an entry of `spec.tools`. */
export const MAX_REFERENCES = 64;
/** The most bytes of a result that a server's callers read at once. */
export const MAX_RESULT_BYTES = 16_777_216;
/** The most calls to a server or tool that run, or that wait, at one moment. */
export const MAX_CALLS = 100_000;
/** The most calls in one period of `limits.rate`. */
export const MAX_RATE_CALLS = 1_000_000;
/** The longest period of `limits.rate` and the longest pause of `limits.breaker`. */
export const MAX_PERIOD_SECONDS = 3_600;
/** Default period of `limits.rate`. */
export const DEFAULT_PERIOD_SECONDS = 60;
export const MAX_CALL_SECONDS = 86_400;
export const MAX_BREAKER_FAILURES = 1_000;
/** The most entries of `spec.tools`. */
export const MAX_TOOL_RULES = 256;
/** The most UTF-16 units of `pattern` of an entry of `spec.tools`. */
export const MAX_PATTERN_CHARS = 256;
export const MAX_TOOL_TITLE_CHARS = 256;
export const MAX_TOOL_DESCRIPTION_CHARS = 4_096;
/** The most entries of `defaults` of an entry of `spec.tools`. */
export const MAX_TOOL_DEFAULTS = 64;
/** The most characters of a list of OAuth scopes. */
export const MAX_SCOPES_CHARS = 2_048;
/** The most entries of `auth.requiredAudiences`. */
export const MAX_AUDIENCES = 64;
export const MAX_AUDIENCE_CHARS = 1_024;

/** The most characters of `Workflow.spec.description`. @spec §2.7, §8 */
export const MAX_WORKFLOW_DESCRIPTION_CHARS = 1_000;
/** The most characters of the description of an argument, a step or a sub-step. @spec §2.7, §8 */
export const MAX_DESCRIPTION_CHARS = 500;
/** The most characters of the `id` of a step or a sub-step. @spec §2.7, §8 */
export const MAX_STEP_ID_CHARS = 63;
/** Default name of the variable of a loop. @spec §2.7 */
export const DEFAULT_LOOP_VARIABLE = 'item';

export const MAX_WORKFLOW_ARGS = 256;
/** The most characters of the name of an argument of a workflow or tool. */
export const MAX_ARGUMENT_NAME_CHARS = 128;
/** The most entries of `Workflow.spec.steps`. */
export const MAX_STEPS = 1_000;
/** The most entries of one `forEach.steps`, of one `parallel`, and of `onFailure`. */
export const MAX_SUB_STEPS = 256;
/** The most steps, sub-steps and handlers of one workflow. */
export const MAX_ALL_STEPS = 5_000;
/** The most characters of the name of a tool that a workflow calls, and of a server's own tool. */
export const MAX_TOOL_NAME_CHARS = 512;
/** The most characters of `condition.fromStep`: an id, "_" and the index of an iteration. */
export const MAX_RESULT_NAME_CHARS = 80;
export const MAX_JSON_PATHS = 128;
export const MAX_JSON_PATH_CHARS = 8_192;

/** Maximum nesting of lists and mappings in one JSON value: `args`, `output`, a default. */
export const MAX_VALUE_DEPTH = 64;
/** The most values that one JSON value may consist of, itself included. */
export const MAX_VALUE_NODES = 50_000;
/** The most entries of a free-form mapping: a value counts itself too. */
export const MAX_MAPPING_ENTRIES = MAX_VALUE_NODES - 1;
/** The most UTF-16 units of all texts and keys of one JSON value. */
export const MAX_VALUE_UNITS = 1_048_576;

/** The most conditions of a status. */
export const MAX_CONDITIONS = 16;
/** The most characters of a condition's type; this and the next two as Kubernetes bounds them. */
export const MAX_CONDITION_TYPE_CHARS = 316;
/** The most characters of a condition's reason. */
export const MAX_CONDITION_REASON_CHARS = 1_024;
/** The most characters of a condition's message. */
export const MAX_CONDITION_MESSAGE_CHARS = 32_768;
/** The most characters of a time in RFC 3339. */
export const MAX_TIME_CHARS = 64;
/** The most characters of a line of a status: an error, a problem. */
export const MAX_STATUS_LINE_CHARS = 32_768;
export const MAX_STATUS_LINES = 256;
/** The most tools that a workflow can name: one for each step, and one for its condition. */
export const MAX_REFERENCED_TOOLS = 2 * MAX_ALL_STEPS;

/** The most bytes of a resource as text. Texts of this size are validated without a noticeable pause of the event loop. */
export const MAX_RESOURCE_BYTES = 131_072;
/** The most problems that one document reports. */
export const MAX_ISSUES = 20;
/** The most characters of a problem, its path included. */
export const MAX_PROBLEM_CHARS = 300;
