import { isJsonObject, type JsonObject, toObject } from '@gateway/call-contract';
import { type Document, parseDocument, visit } from 'yaml';

/** Names of fields that words of their own explain better. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['url', 'Address'],
  ['args', 'Arguments'],
  ['env', 'Environment variables'],
  ['envFrom', 'Environment variables from Secrets and ConfigMaps'],
  ['headersFrom', 'Headers from Secrets and ConfigMaps'],
  ['cwd', 'Working directory'],
  ['auth', 'Sign-in'],
  ['autoStart', 'Start it now and with the gateway'],
]);

/** Returns the words of a name such as `maxResultBytes`: Max result bytes. */
const toWords = (name: string): string => {
  const words = name.replaceAll(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const MAX_DEPTH = 12;

/** Returns a schema whose properties have titles in words. */
export const withTitles = (schema: JsonObject, depth = 0): JsonObject => {
  if (depth > MAX_DEPTH) return schema;
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          {
            title: TITLES.get(name) ?? toWords(name),
            ...withTitles(toObject(property), depth + 1),
          },
        ]),
      ),
    }),
    ...(isJsonObject(items) && { items: withTitles(items, depth + 1) }),
  };
};

/** Returns the members of an object that a schema has. */
export const pickKnown = (schema: JsonObject, value: JsonObject): JsonObject => {
  const properties = toObject(schema['properties']);
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)),
  );
};

/** Returns a schema of these properties, in this order, or without them. */
export const pickProperties = (
  schema: JsonObject,
  names: readonly string[],
  isWithout = false,
): JsonObject => {
  const properties = toObject(schema['properties']);
  const picked = isWithout
    ? Object.keys(properties).filter((name) => !names.includes(name))
    : names.filter((name) => Object.hasOwn(properties, name));
  const { required: _required, ...others } = schema;
  return {
    ...others,
    properties: Object.fromEntries(picked.map((name) => [name, properties[name]])),
  };
};

/** Returns a function that takes a property out of a schema. */
export const withoutProperty =
  (name: string) =>
  (schema: JsonObject): JsonObject =>
    pickProperties(schema, [name], true);

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns what changes one object into another: null for a member that is removed, and only the members of objects that differ. */
export const createPatch = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
      const [was, is] = [before[name], after[name]];
      if (isEqual(was, is)) return [];
      if (is === undefined) return [[name, null]];
      return [[name, isJsonObject(was) && isJsonObject(is) ? createPatch(was, is) : is]];
    }),
  );

/** Returns an object without members that have no value, which forms leave behind. */
export const withoutEmpty = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const kept = isJsonObject(member) ? withoutEmpty(member) : member;
      const isEmpty = isJsonObject(kept) && Object.keys(kept).length === 0;
      return kept === undefined || isEmpty ? [] : [[name, kept]];
    }),
  );

type Parsed = { readonly value: JsonObject } | { readonly problem: string };

/** Returns whether a text repeats parts of itself, which can make a small text very large. */
const hasAlias = (document: Document): boolean => {
  let isFound = false;
  visit(document, {
    Alias: () => {
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
};

/** Returns the object of a YAML text, or the first problem with its line. */
export const parseYaml = (text: string): Parsed => {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return { problem: error.message };
  if (hasAlias(document)) return { problem: 'References of YAML (*name) are not supported.' };
  const value: unknown = document.toJS();
  return isJsonObject(value) ? { value } : { problem: 'The text is no list of fields.' };
};
