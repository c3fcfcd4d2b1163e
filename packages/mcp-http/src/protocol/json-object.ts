/** A JSON object as it came or as it goes: unknown keys are kept. */
export type JsonObject = Readonly<Record<string, unknown>>;
