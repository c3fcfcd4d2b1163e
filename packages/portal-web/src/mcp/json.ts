import { isJsonObject, type JsonObject } from '@gateway/call-contract';

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns a text; an empty one for any other value. */
export const toText = (value: unknown): string => (isText(value) ? value : '');

/** Returns a number; 0 for any other value. */
export const toNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Returns a list; an empty one for any other value. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the texts of a list. */
export const toTexts = (value: unknown): readonly string[] => toList(value).filter(isText);

/** Returns an object; an empty one for any other value. */
export const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns the objects of a list. */
export const toObjects = (value: unknown): readonly JsonObject[] =>
  toList(value).filter(isJsonObject);

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
