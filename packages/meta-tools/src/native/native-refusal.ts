import { quoted } from '@gateway/toolset-grammar';
import type { MetaToolPorts, ProtocolError } from '../ports.ts';
import { refusalText, type Refusal } from '../refusal.ts';
import { tellToolsetRefusal } from '../result.ts';

const CODE = {
  invalidParams: -32_602,
  internal: -32_603,
  /** Of the 2025 revisions; 2026-07-28 says invalid parameters. */
  resourceNotFound: -32_002,
} as const;

/** The longest part of a name that an error repeats, in UTF-16 code units. */
const MAX_ECHO_CHARACTERS = 200;

const echoed = (text: string): string =>
  text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text;

/** A tool or a prompt that nobody has. */
export const unknownName = (kind: 'tool' | 'prompt', name: string): ProtocolError => ({
  code: CODE.invalidParams,
  message: `Unknown ${kind}: ${quoted(echoed(name))}`,
});

/** A resource that nobody has, in the way of the caller's revision. */
export const unknownResource = (uri: string, isModern: boolean): ProtocolError => ({
  code: isModern ? CODE.invalidParams : CODE.resourceNotFound,
  message: `Resource not found: ${echoed(uri)}`,
  data: { uri },
});

/** A refusal because of the toolset, where there is no result that could carry it. @spec §7.1, §7.2 */
export const refusedByToolset = (
  refusal: Refusal,
  ports: Pick<MetaToolPorts, 'onToolsetRefusal'>,
): ProtocolError => {
  tellToolsetRefusal(refusal, ports);
  return { code: CODE.invalidParams, message: refusalText(refusal) };
};

/** Why there is no answer: the server's own error, or what the gateway knows. */
export const failed = (
  { text, error }: { readonly text: string; readonly error?: ProtocolError },
  what: string,
): ProtocolError => error ?? { code: CODE.internal, message: `${what} failed: ${text}` };
