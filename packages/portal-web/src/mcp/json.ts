import { isJsonObject, type JsonObject, toText } from '@gateway/call-contract';

/** Returns a number; 0 for any other value. */
export const toNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Returns the member of an object when it has the type of a guard; an object without it otherwise. */
export const pickField = <K extends string, T>(
  source: JsonObject,
  key: K,
  isWanted: (value: unknown) => value is T,
): { readonly [P in K]?: T } => {
  const value = source[key];
  return (isWanted(value) ? { [key]: value } : {}) as { readonly [P in K]?: T };
};

/** Returns the value of a JSON text; `undefined` for anything else. */
export const parseJson = (text: unknown): unknown => {
  try {
    return JSON.parse(toText(text));
  } catch {
    return undefined;
  }
};

/** Returns the object of a JSON text; `undefined` for anything else. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
};
