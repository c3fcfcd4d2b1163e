import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';

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
