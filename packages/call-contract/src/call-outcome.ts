import type { RawObject } from '@gateway/mcp-wire';
import type { JsonObject } from './json.ts';
import type { RpcError } from './rpc-error.ts';

/** The result of a call: the text that a server sent, or an object that the gateway made. */
export type CallResult = RawObject | JsonObject;

/** The result of a call, unchanged, or the reason why there is none. */
export type CallOutcome =
  | { readonly ok: true; readonly result: CallResult }
  | {
      readonly ok: false;
      /** The reason, as the end of a sentence: `server not found: files`. */
      readonly text: string;
      /** The JSON-RPC error of the server, when that is the reason. */
      readonly error?: RpcError;
    };
