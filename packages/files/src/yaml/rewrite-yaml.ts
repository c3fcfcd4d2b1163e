import { isJsonObject } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';
import { Document, isAlias, isMap, isNode, type Node, visit, type YAMLMap } from 'yaml';
import type { Mapping } from '../merge-patch.ts';
import { composeYaml, parseYaml, toPlainValue } from './parse-yaml.ts';
import { withSplices, YamlSplicer } from './yaml-splicer.ts';

/** Long lines are not folded. */
const PRINTED = { lineWidth: 0 } as const;
/** Equal parts are repeated instead of aliased, because people edit these files. */
const WRITTEN_OUT = { aliasDuplicateObjects: false } as const;

/** Returns plain data as a block-style YAML 1.2 document that YAML 1.1 parsers read alike: strings such as "yes" are quoted. */
export const printYaml = (value: unknown): string =>
  new Document(value, { ...WRITTEN_OUT, schema: 'core', compat: 'yaml-1.1' }).toString(PRINTED);

/** Returns the text with its parts edited in place; undefined when its layout does not allow that. */
const spliceText = (text: string, document: Document, target: Mapping): string | undefined => {
  const root = document.contents;
  if (root === null || (!isMap(root) && text.trim() === '')) return appendText(text, target);
  if (!isMap(root)) return undefined;
  const splicer = new YamlSplicer(text, document);
  splicer.setRoot(root, target);
  return splicer.isStuck ? undefined : withSplices(text, splicer.splices);
};

/** Keeps a text of only comments above the new content. */
const appendText = (text: string, target: Mapping): string =>
  text === '' || text.endsWith('\n') ? text + printYaml(target) : `${text}\n${printYaml(target)}`;

/** Expands aliases, so that each occurrence can change on its own. */
const withoutAliases = (document: Document): void => {
  visit(document, {
    Alias: (_key, alias) => {
      const copy = alias.resolve(document)?.clone() as Node | undefined;
      // The comment stays at the original only.
      if (copy !== undefined) copy.comment = null;
      return copy;
    },
  });
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node)) delete node.anchor;
    },
  });
};

const updateMap = (document: Document, map: YAMLMap, target: Mapping): void => {
  const before = new Map(map.items.map((pair) => [String(isNode(pair.key) ? pair.key : ''), pair]));
  for (const key of before.keys()) if (!Object.hasOwn(target, key)) map.delete(key);
  for (const [key, value] of Object.entries(target)) {
    const node = map.get(key, true);
    if (isMap(node) && isJsonObject(value)) updateMap(document, node, value);
    else if (!isNode(node) || !isDeepStrictEqual(node.toJS(document), value)) {
      map.set(key, document.createNode(value, WRITTEN_OUT));
    }
  }
};

/** Prints the whole document, with its comments and the order of its keys. */
const printDocument = (document: Document, target: Mapping): string | undefined => {
  withoutAliases(document);
  if (!isMap(document.contents)) return undefined;
  updateMap(document, document.contents, target);
  return document.toString(PRINTED);
};

const tryCall = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

const hasContent = (text: string, target: Mapping): boolean => {
  const parsed = parseYaml(text);
  return parsed.ok && isDeepStrictEqual(parsed.value, target);
};

/**
 * Returns the text with another content. Bytes outside the change stay: comments, blank lines, quotes and the order of keys. A layout that
 * cannot be edited in place is printed again with its comments. The result is parsed and compared with `target`. Returns undefined when the
 * text is invalid YAML or no text has the target content. Never throws.
 *
 * @param target plain data, a mapping
 */
export const rewriteYaml = (text: string, target: Mapping): string | undefined => {
  const composed = composeYaml(text);
  const before = composed.ok ? tryCall(() => toPlainValue(composed.document)) : undefined;
  if (!composed.ok || before?.ok !== true) return undefined;
  if (isDeepStrictEqual(before.value, target)) return text;
  const candidates = [
    () => spliceText(text, composed.document, target),
    () => printDocument(composed.document, target),
    () => printYaml(target),
    // JSON is valid YAML and preserves every string.
    () => `${JSON.stringify(target, null, 2)}\n`,
  ];
  for (const candidate of candidates) {
    const result = tryCall(candidate);
    if (result !== undefined && hasContent(result, target)) return result;
  }
  return undefined;
};
