import { RPC_CODE, type RpcError } from '@gateway/call-contract';
import { quoted } from '@gateway/toolset-grammar';

/** The longest part of a name that an error repeats, in UTF-16 code units. */
const MAX_ECHO_CHARACTERS = 200;

const echoed = (text: string): string =>
  text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text;

/** Returns the error of an unknown tool or prompt. */
export const unknownName = (kind: 'tool' | 'prompt', name: string): RpcError => ({
  code: RPC_CODE.invalidParams,
  message: `Unknown ${kind}: ${quoted(echoed(name))}`,
});

/** Returns the error of an unknown resource, by the caller's revision. */
export const unknownResource = (uri: string, isModern: boolean): RpcError => ({
  // Revision 2026-07-28 has no code of its own for a missing resource.
  code: isModern ? RPC_CODE.invalidParams : RPC_CODE.resourceNotFound,
  message: `Resource not found: ${echoed(uri)}`,
  data: { uri },
});

/** Returns the error of a failed request: the server's own error, or the gateway's. */
export const failed = (
  { text, error }: { readonly text: string; readonly error?: RpcError },
  what: string,
): RpcError => error ?? { code: RPC_CODE.internal, message: `${what} failed: ${text}` };
