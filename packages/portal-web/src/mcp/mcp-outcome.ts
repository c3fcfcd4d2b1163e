/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The outcome of a request to the gateway. `status` is 0 without a response. */
export type McpOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code?: number;
      readonly message: string;
    };

/** A progress report of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Returns whether a value is a JSON object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
