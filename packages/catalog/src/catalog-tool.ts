import { type JsonObject, WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';

/**
 * Hints about a tool. An unset hint stays absent: unset, `true` and `false` are three states.
 *
 * @spec §2.4
 */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Kind of a tool. @spec §1.3 */
export type ToolKind = 'tool' | 'workflow' | 'core';

export interface ToolProvider {
  readonly server: string;
  readonly serverTool: string;
}

/** One tool of the catalog under its exposed name. Immutable. @spec §1.4, §2.4 */
export interface CatalogTool {
  /** The exposed name. */
  readonly name: string;
  readonly kind: ToolKind;
  /** The index in the catalog's stable order. */
  readonly position: number;
  /** The owning server, or the family's name for a family tool; absent for workflows and core tools. */
  readonly server?: string;
  readonly title?: string;
  readonly description: string;
  /** The first line of the description, cut to 120 code points and `...` when longer. */
  readonly summary: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** `metadata.labels` of a workflow. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The servers behind the tool, by name; several only for a family tool, none for workflows and core tools. */
  readonly providers: readonly ToolProvider[];
  /** The required argument that selects the instance; set exactly for family tools. @spec §2.6 */
  readonly instanceArg?: string;
  /** The exposed names of the tools without which a workflow cannot run, when they are known. @spec §2.7 */
  readonly requiredTools?: readonly string[];
  /** The members that the resource of a server set in place of the server, such as `description` and `defaults.path`; absent without any. */
  readonly changed?: readonly string[];
  /**
   * The complete entry of the server's list, under the server's own name; for a family tool the fields that are equal for all
   * members, with the description and the schema of the family. Absent for workflows and core tools.
   */
  readonly listed?: JsonObject;
}

/** One of the gateway's own tools, as the catalog takes it. @spec §1.3 */
export interface CoreToolEntry {
  readonly name: `core_${string}`;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
}

/** A workflow's execution tool, as the catalog takes it; `name` is the workflow's own. @spec §2.7 */
export interface WorkflowToolEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Declared hints. With `referencedTools` the read-only hint is derived instead. */
  readonly annotations?: ToolAnnotations;
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Exposed names of all tools of steps, conditions, sub-steps and handlers. Without them nothing is derived.
   *
   * @spec §2.5
   */
  readonly referencedTools?: readonly string[];
  /** The exposed names without those of conditions: what must be there to run. Without them nothing is missing. */
  readonly requiredTools?: readonly string[];
}

type Hint = keyof ToolAnnotations;

const HINTS: readonly Hint[] = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
];

/** Builds the hints that are set; without any there are no annotations at all. */
function createHints(valueOf: (hint: Hint) => unknown): ToolAnnotations | undefined {
  const hints: Partial<Record<Hint, boolean>> = {};
  let isSet = false;
  for (const hint of HINTS) {
    const value = valueOf(hint);
    if (typeof value !== 'boolean') continue;
    hints[hint] = value;
    isSet = true;
  }
  return isSet ? hints : undefined;
}

/** The four hints of what a server declares, explicit `false` included; absent when it sets none. @spec §2.4 */
export function readToolHints(
  annotations: ToolAnnotations | undefined,
): ToolAnnotations | undefined {
  return annotations && createHints((hint) => annotations[hint]);
}

/** Returns the hints that all of them set to the same value: a family tool is read-only only when every member is. */
export function computeCommonHints(
  all: readonly (ToolAnnotations | undefined)[],
): ToolAnnotations | undefined {
  const first = all[0];
  return createHints((hint) =>
    all.every((one) => one?.[hint] === first?.[hint]) ? first?.[hint] : undefined,
  );
}

/** Longest summary, in code points of the first line of a description. */
const MAX_SUMMARY_CHARACTERS = 120;

/** The first line of a description, trimmed, cut to 120 code points and `...` when longer. */
export function formatToolSummary(description: string): string {
  const text = description.trimStart();
  const end = text.indexOf('\n');
  const line = (end === -1 ? text : text.slice(0, end)).trimEnd();
  if (line.length <= MAX_SUMMARY_CHARACTERS) return line;
  // A code point has at most two code units, so only this much of a long line can matter.
  const points = Array.from(line.slice(0, 2 * (MAX_SUMMARY_CHARACTERS + 1)));
  if (points.length <= MAX_SUMMARY_CHARACTERS) return line;
  return `${points.slice(0, MAX_SUMMARY_CHARACTERS).join('')}...`;
}

/** A tool as listings show it; a key whose value there is none is absent. @spec §2.4 */
export interface ToolInfo {
  readonly name: string;
  readonly description?: string;
  readonly summary?: string;
  readonly score?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly server?: string;
  readonly kind: ToolKind;
  readonly annotations?: ToolAnnotations;
  readonly inputSchema?: JsonObject;
}

/** Level of detail of a tool in a list. */
export interface ToolInfoOptions {
  readonly description: 'full' | 'summary';
  readonly schema: boolean;
  /** The rank in a search, shown as it is. */
  readonly score?: number;
}

function pickDescription(
  { description, summary }: CatalogTool,
  form: ToolInfoOptions['description'],
): Pick<ToolInfo, 'description' | 'summary'> {
  if (form === 'full') return description === '' ? {} : { description };
  return summary === '' ? {} : { summary };
}

/** The entry of a tool in a listing. Values are shared with the catalog. @spec §2.4 */
export function toToolInfo(tool: CatalogTool, options: ToolInfoOptions): ToolInfo {
  const { name, labels, server, kind, annotations, inputSchema } = tool;
  const { score } = options;
  const hasLabels = labels !== undefined && Object.keys(labels).length > 0;
  return {
    name,
    ...pickDescription(tool, options.description),
    ...(score !== undefined && { score }),
    ...(hasLabels && { labels }),
    ...(server !== undefined && { server }),
    kind,
    ...(annotations !== undefined && { annotations }),
    ...(options.schema && { inputSchema }),
  };
}

/** The prefix of every exposed name of a server tool, a family tool or a prompt. @spec §1.4 */
export const EXPOSED_PREFIX = 'x';

/** A tool whose exposed name is longer is not served, as MCP 2025-11-25 has it for names of tools. */
export const MAX_EXPOSED_NAME_CHARS = 128;
/** A tool whose exposed name is longer is served with a warning: common model APIs take no longer names. */
export const LONG_EXPOSED_NAME_CHARS = 64;

/**
 * The exposed name of a server's or a family's tool or prompt: `x_<prefix>_<name>`, also when the name itself starts with
 * `<prefix>_`. Otherwise the names `status` and `sse_status` of a server `sse` are one exposed name.
 *
 * @param prefix the server's `toolPrefix`, else its name; for a family tool the family's name
 * @spec §1.4, §2.6
 */
export function formatExposedName(prefix: string, name: string): string {
  return `${EXPOSED_PREFIX}_${prefix}_${name}`;
}

/** The name of a workflow's execution tool. @spec §1.4 */
export function formatWorkflowToolName(workflow: string): string {
  return `${WORKFLOW_TOOL_PREFIX}${workflow}`;
}

/** The exposed URI of a resource: as it is when it contains `://`, else prefixed like a tool's name. */
export function formatExposedUri(prefix: string, uri: string): string {
  return uri.includes('://') ? uri : formatExposedName(prefix, uri);
}

/** Longest part of a caller's text in an error text, in UTF-16 code units. */
const MAX_ECHO_CHARACTERS = 256;

/** Returns the beginning of a caller's text in quotes, for an error text. */
export const quoteBriefly = (text: string): string =>
  JSON.stringify(
    text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text,
  );

/**
 * Characters that are invisible to people but not to models: control characters except tab, line feed and carriage return,
 * bidirectional controls, zero-width characters, tags, and unpaired surrogates, which UTF-8 cannot encode.
 * Of several consecutive variation selectors or joiners only the first is visible text: the others could encode hidden words, as could
 * joiners after ASCII. Other joiners are preserved because scripts and emoji require U+200C and U+200D.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<=[\u0000-\u007f\u200c\u200d])[\u200c\u200d]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const SELECTORS = /([\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g;
const JOINERS = /(?<=[\u0000-\u007f])[\u200c\u200d]+|(?<=[\u200c\u200d])[\u200c\u200d]+/g;

/** Returns whether a text has invisible characters. Tabs and line breaks are visible. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** The text without characters that readers cannot see. */
export function removeHiddenCharacters(text: string): string {
  // Removing a character can make two variation selectors or joiners adjacent.
  return text.replace(ALL_HIDDEN, '').replace(JOINERS, '').replace(SELECTORS, '$1');
}
